//! What `cargo otp test` and the test executables that it has cargo run hand each other: environment variables.

/// The folder with the commands that boot VMs: a file for the library, by its name, with a line for the program and one
/// for each argument.
pub const PREPARED: &str = "OTP_RS_PREPARED_TESTS";

/// The features of the package, separated by spaces.
pub const FEATURES: &str = "OTP_RS_TEST_FEATURES";

/// The program that runs as `cargo otp test`.
pub const CARGO_OTP: &str = "CARGO_OTP";
