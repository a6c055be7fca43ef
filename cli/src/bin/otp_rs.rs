//! `otp-rs …`: types from Erlang.
use std::process::ExitCode;

fn main() -> ExitCode {
    otp_cli::otp_rs(std::env::args_os())
}
