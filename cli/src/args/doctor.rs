//! `cargo otp doctor`

use clap::Args;

use super::Manifest;

/// Check whether this machine has what an application needs, and say what to do.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp doctor
  cargo otp doctor --message-format json

Checked are Erlang/OTP and its compiler, the applications of OTP that are needed (a distribution may have
them in packages of their own), Rust and its linker, the names of this machine, epmd, the cookie, the
locale, and the most open files; inside an application, also the applications that its otp.toml names, the
version of otp-bridge, and what was built with another Erlang. Nothing is changed, and nothing is built.
Exit codes: 0 if applications can be built and run; 1 if something is missing for that; 2 for a mistake in
otp-rs.")]
pub(crate) struct Doctor {
    #[command(flatten)]
    pub(crate) manifest: Manifest,
}
