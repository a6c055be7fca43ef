//! The command line of `cargo otp upgrade`.

use std::path::PathBuf;

use clap::Args;

use super::BuildArgs;

/// Build the application, and switch a running node to the new build without stopping it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp upgrade left --dry-run
  cargo otp upgrade left
  cargo otp upgrade left --cookie ~/.shop_cookie --timeout 60
  cargo otp upgrade shop@db.example.org --release
  cargo otp upgrade left --to previous

The node has to run the application of this folder; start it by `cargo otp run --sname left` or by
`bin/NAME start` of a release. An upgrade is atomic: the node loads the new build beside the old one, and
each process converts its state. If one process fails to do so, all processes keep the old code. No call and
no message is lost. If the Erlang type of a state has changed, the new build needs a clause of `code_change`.
First, the command prints how the processes of each module would switch to the new build. With --dry-run, it
stops there. Then current callbacks and tasks finish in the old code. If a process needs longer than --timeout
for this, it is busy, and the upgrade changes nothing. With --allow-busy, the other processes switch, and a
busy process follows when it has finished. If you press Ctrl-C before processes switch, nothing is changed.
With --to, the command builds nothing. It switches the node to an earlier build that is kept in the
application's folder: `previous` is the build before the last upgrade. If the type of a state differs, the
running build needs a clause `fn code_change(self, _: Downgrade<Older>)`, which creates the older state. If
such a clause is missing, nothing is loaded.
You can also upgrade to an older build from its sources. docs/upgrades.md has the details.
Do not confuse this command with `cargo otp upgrading`, which prints how to adapt your sources to a newer
otp-rs.
Exit codes: 0 on success; 1 if the node cannot be reached, processes cannot switch, or a new child was not
started; 3 if processes are busy (with --allow-busy, all others have switched, otherwise nothing was changed);
2 for a bug in otp-rs.")]
pub(crate) struct Upgrade {
    /// NAME or NAME@HOST of the node
    #[arg(value_name = "NODE")]
    pub(crate) node: String,
    /// Read the cookie from this file, instead of the variable OTP_RS_COOKIE
    #[arg(long, value_name = "FILE")]
    pub(crate) cookie: Option<PathBuf>,
    /// Print how processes would switch to the new build, and stop
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Seconds that current callbacks and tasks have to finish
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    pub(crate) timeout: u32,
    /// Upgrade all other processes even if some are busy; these keep the old code until they finish
    #[arg(long)]
    pub(crate) allow_busy: bool,
    /// Go back to a kept build: `previous`, or its name
    #[arg(long, value_name = "BUILD")]
    pub(crate) to: Option<String>,
    #[command(flatten)]
    pub(crate) built: BuildArgs,
}
