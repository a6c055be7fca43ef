//! The command line of `cargo otp upgrade`.

use std::path::PathBuf;

use clap::Args;

use super::BuildArgs;

/// Build the application, and have a running node change over to the new build, without a stop.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp upgrade left --dry-run
  cargo otp upgrade left
  cargo otp upgrade left --cookie ~/.shop_cookie --timeout 60
  cargo otp upgrade shop@db.example.org --release

The node is one that `cargo otp run --sname left` or `bin/NAME start` of a release has made, and runs the
application of this folder. All processes change over, each with its state, or none does: the new build is loaded
beside the old one, each process makes its new state, and if one cannot, all go on as they were. No call and no
message is lost. A state whose Erlang type has changed needs a clause of `code_change` in the new build.
First it is said how the processes of each module change over. --dry-run ends after that. A callback or a task
that is under way ends on the old code first. If one takes longer than --timeout, nothing is changed; with
--allow-busy its process goes on with the old code, and changes over when it has ended. Ctrl-C before the
changeover cancels the upgrade: nothing is changed.
An older build is an upgrade like any other. docs/upgrades.md describes all of it.
This is not `cargo otp upgrading`, which says what to change in your sources for a newer otp-rs.
Exit codes: 0; 1 if the node cannot be reached, processes cannot change over, or a new child was not started; 3 if some are at work (with
--allow-busy all others have changed over, otherwise nothing was changed); 2 for a mistake in otp-rs.")]
pub(crate) struct Upgrade {
    /// NAME or NAME@HOST of the node
    #[arg(value_name = "NODE")]
    pub(crate) node: String,
    /// Read the cookie from a file, not from the variable OTP_RS_COOKIE
    #[arg(long, value_name = "FILE")]
    pub(crate) cookie: Option<PathBuf>,
    /// Only say how processes would change over
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// How long callbacks and tasks may take to end
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    pub(crate) timeout: u32,
    /// Let processes that are at work for longer go on with the old code
    #[arg(long)]
    pub(crate) allow_busy: bool,
    #[command(flatten)]
    pub(crate) built: BuildArgs,
}
