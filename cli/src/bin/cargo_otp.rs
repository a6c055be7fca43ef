//! `cargo otp …`: an application's life.
use std::process::ExitCode;

fn main() -> ExitCode {
    otp_cli::cargo_otp(std::env::args_os())
}
