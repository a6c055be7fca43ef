//! What `cargo otp test` and the test executables that it has cargo run hand each other:
//! environment variables.

/// The folder with the commands that boot VMs: a file for the library, by its name, with a line for
/// the program and one for each argument.
pub const PREPARED: &str = "OTP_RS_PREPARED_TESTS";

/// The features of the package, separated by spaces.
pub const FEATURES: &str = "OTP_RS_TEST_FEATURES";

/// The program that runs as `cargo otp test`.
pub const CARGO_OTP: &str = "CARGO_OTP";

/// The file to which a process adds a line for each clause when that runs for the first time in it:
/// `MODULE<tab>FUNCTION<tab>ARITY<tab>CLAUSE`, where a clause is its position in its callback,
/// counted from 0. A library writes it if it is built with [`COUNTED`].
pub const COVERAGE: &str = "OTP_RS_COVERAGE";

/// The feature of the run time with which a library counts the clauses that run.
pub const COUNTED: &str = "otp-bridge/coverage";
