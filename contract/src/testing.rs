//! The environment variables that `cargo otp test` sets for the test executables, which it runs
//! through cargo.

/// The folder with the commands that boot VMs. It has a file for each library, under the library's
/// name, with one line for the program and one for each argument.
pub const PREPARED: &str = "OTP_RS_PREPARED_TESTS";

/// The features of the package, separated by spaces.
pub const FEATURES: &str = "OTP_RS_TEST_FEATURES";

/// The program that runs as `cargo otp test`.
pub const CARGO_OTP: &str = "CARGO_OTP";

/// The number of schedules that each test with `explore` runs: `--explore`.
pub const EXPLORE: &str = "OTP_RS_EXPLORE";

/// The seed of the first of these schedules: `--seed`.
pub const SEED: &str = "OTP_RS_SEED";

/// The file for coverage. When a clause runs in a process for the first time, the process adds a
/// line: `MODULE<tab>FUNCTION<tab>ARITY<tab>CLAUSE`. A clause is its position in its callback,
/// counted from 0. A library writes the file if it is built with [`COUNTED`].
pub const COVERAGE: &str = "OTP_RS_COVERAGE";

/// The feature of the run time that makes a library count the clauses that run.
pub const COUNTED: &str = "otp-bridge/coverage";
