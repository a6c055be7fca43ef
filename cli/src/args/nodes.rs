//! Command lines of `cargo otp` that inspect a running node, or the future one.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Manifest;

/// Open an Erlang shell in a running node, or evaluate an expression there.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp shell left
  cargo otp shell left --cookie ~/.shop_cookie
  cargo otp shell left --eval 'otp_rs:state(counter)'
  cargo otp shell shop@db.example.org --eval 'supervisor:which_children(stroot)'

You can connect to any Erlang node, for example one that you started by `cargo otp run --sname left` or by
`bin/NAME start` of a release. The shell is Erlang's own remote shell: the node evaluates your input.
To leave the shell, press Ctrl-G, then q and Enter; the node keeps running. q(). and init:stop(). stop the
node. Ctrl-C interrupts the current evaluation.
--eval prints the output of the expressions, and then the value of the last one. If you press Ctrl-C, the
command stops, but the node continues to evaluate the expression.
Exit codes: 0 on success; 1 if the node cannot be reached or the expression raises an exception; 2 for a bug
in otp-rs.")]
pub(crate) struct Shell {
    /// NAME or NAME@HOST of the node
    #[arg(value_name = "NODE")]
    pub(crate) node: String,
    /// Read the cookie from this file, instead of the variable OTP_RS_COOKIE
    #[arg(long, value_name = "FILE")]
    pub(crate) cookie: Option<PathBuf>,
    /// Evaluate these Erlang expressions and print the value, instead of opening a shell
    #[arg(long, value_name = "EXPRESSIONS", allow_hyphen_values = true)]
    pub(crate) eval: Option<String>,
}

/// Show the supervision tree of the application or of a running node.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp tree
  cargo otp tree --format svg > tree.svg
  cargo otp tree -- 1000
  cargo otp tree --live left
  cargo otp tree --live left --cookie ~/.shop_cookie shop
  cargo otp tree --live shop@db.example.org --format json

Without --live, the command builds the application, calls `init` of each supervisor, and starts no process
of the tree. It shows the restart type of each child and the strategy of each supervisor, but not children
that are started later. `init` of the root supervisor gets the arguments after `--`, as with `cargo otp run`.
With --live, you can use any Erlang node, for example one that you started by `cargo otp run --sname left` or
by `bin/NAME start` of a release. The command shows type, pid, number of messages and memory of each process.
Without APPLICATION, it shows all applications that have a supervisor, except kernel. It shows at most 10000
processes, and queries the node for at most fifteen seconds. A process that does not answer within a second
is marked. The processes are not changed. docs/supervisor.md describes the formats.")]
pub(crate) struct Tree {
    /// Show the tree of this running node
    #[arg(long, value_name = "NODE")]
    pub(crate) live: Option<String>,
    /// Read the cookie from this file, instead of the variable OTP_RS_COOKIE
    #[arg(long, value_name = "FILE", requires = "live")]
    pub(crate) cookie: Option<PathBuf>,
    /// Output format
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
    /// Text in the language of Graphviz
    Dot,
    /// Text in the language of Mermaid
    Mermaid,
    /// An image
    Svg,
    /// JSON, for programs
    Json,
}
