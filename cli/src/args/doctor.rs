//! `cargo otp doctor`

use clap::Args;

use super::Manifest;

/// Check whether this machine can build and run applications, and print how to fix problems.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp doctor
  cargo otp doctor --message-format json

The command checks Erlang/OTP and its compiler, the required applications of OTP (some distributions have
separate packages for them), Rust and its linker, this machine's host names, epmd, the cookie, the locale,
and the limit of open files. Inside an application, it also checks the applications listed in otp.toml, the
version of otp-bridge, and whether files were built with another Erlang. It changes and builds nothing.
Exit codes: 0 if applications can be built and run; 1 if something is missing; 2 for a bug in
otp-rs.")]
pub(crate) struct Doctor {
    #[command(flatten)]
    pub(crate) manifest: Manifest,
}
