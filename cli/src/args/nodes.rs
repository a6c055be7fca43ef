//! Command lines of `cargo otp` that inspect a running node, or the future one.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Manifest;

/// Have an Erlang shell in a running node, or evaluate an expression there.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp shell left
  cargo otp shell left --cookie ~/.shop_cookie
  cargo otp shell left --eval 'otp_rs:state(counter)'
  cargo otp shell shop@db.example.org --eval 'supervisor:which_children(stroot)'

The node is one that `cargo otp run --sname left` or `bin/NAME start` of a release has made, or any other
of Erlang/OTP. The shell is Erlang's own remote shell: what is typed is evaluated in the node.
Ctrl-G, then q and Enter, leaves the shell, and the node runs on. q(). and init:stop(). stop the node.
Ctrl-C interrupts what the shell evaluates.
--eval prints what the expressions print, and then the value of the last one. A node goes on with an
expression that Ctrl-C has left.
Exit codes: 0; 1 if the node cannot be reached or the expression raises an exception; 2 for a mistake
in otp-rs.")]
pub(crate) struct Shell {
    /// NAME or NAME@HOST of the node
    #[arg(value_name = "NODE")]
    pub(crate) node: String,
    /// Read the cookie from a file, not from the variable OTP_RS_COOKIE
    #[arg(long, value_name = "FILE")]
    pub(crate) cookie: Option<PathBuf>,
    /// Evaluate Erlang expressions instead, and print the value
    #[arg(long, value_name = "EXPRESSIONS", allow_hyphen_values = true)]
    pub(crate) eval: Option<String>,
}

/// Show the supervision tree: as the application declares it, or of a running node.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp tree
  cargo otp tree --format svg > tree.svg
  cargo otp tree -- 1000
  cargo otp tree --live left
  cargo otp tree --live left --cookie ~/.shop_cookie shop
  cargo otp tree --live shop@db.example.org --format json

Without --live, the application is built, and each supervisor is asked for its children: its `init` is
called, and no process is started. A child is shown with when it is restarted, and a supervisor with its
strategy. Children that are started later are not shown. The arguments
after `--` are those of `cargo otp run`: `init` of the root supervisor gets them.
With --live, the node is one that `cargo otp run --sname left` or `bin/NAME start` of a release has made,
or any other of Erlang/OTP. Each process is shown with its type, pid, the messages in its mailbox, and its
memory. Without APPLICATION, all that have a supervisor are shown, except kernel. The node is asked for at
most fifteen seconds, and for at most 10000 processes. One that does not answer within a second is shown
as such. The processes of the tree are not changed. docs/supervisor.md describes the formats.")]
pub(crate) struct Tree {
    /// Ask this running node
    #[arg(long, value_name = "NODE")]
    pub(crate) live: Option<String>,
    /// Read the cookie from a file, not from the variable OTP_RS_COOKIE
    #[arg(long, value_name = "FILE", requires = "live")]
    pub(crate) cookie: Option<PathBuf>,
    /// How the tree is printed
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TreeFormat::Text)]
    pub(crate) format: TreeFormat,
    #[command(flatten)]
    pub(crate) manifest: Manifest,
    /// Build with optimisations
    #[arg(long, conflicts_with = "live")]
    pub(crate) release: bool,
    /// Applications of the node to show
    #[arg(value_name = "APPLICATION", requires = "live")]
    pub(crate) applications: Vec<String>,
    /// Start argument of the root supervisor
    #[arg(last = true, value_name = "ARGS", conflicts_with = "live")]
    pub(crate) arguments: Vec<OsString>,
}

/// How `cargo otp tree` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TreeFormat {
    /// A line for each process
    Text,
    /// The language of Graphviz
    Dot,
    /// The language of Mermaid
    Mermaid,
    /// A picture
    Svg,
    /// JSON, for programs
    Json,
}
