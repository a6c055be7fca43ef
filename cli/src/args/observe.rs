//! The command line of `cargo otp observe`.

use std::path::PathBuf;

use clap::Args;

/// Show a running node in the browser: supervision trees, processes, Rust states and log.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp observe left
  cargo otp observe left --open
  cargo otp observe left --cookie ~/.shop_cookie --write
  cargo otp observe shop@db.example.org --port 7000

You can observe any Erlang node, for example one that you started by `cargo otp run --sname left` or by
`bin/NAME start` of a release. The node serves a page on its loopback address, and the command prints this
address. The address can be opened only once; that browser can use the page until you stop the command by
Ctrl-C. Then the node unloads everything that was loaded for the page. At most eight commands can observe
a node at a time.
The page is read-only unless you give --write. With --write, you can kill processes, collect garbage and
restart children; the page asks for confirmation each time. The page does not show states that their modules
declare secret, and it loads nothing from other servers.
To observe a node on another machine, choose a port and forward it by ssh:
  ssh -L 7000:127.0.0.1:7000 db.example.org
docs/observe.md describes the page and the cost of observing.
Exit codes: 0 on success; 1 if the node cannot be reached or observed, or stops while it is observed; 2 for
a bug in otp-rs.")]
pub(crate) struct Observe {
    /// NAME or NAME@HOST of the node
    #[arg(value_name = "NODE")]
    pub(crate) node: String,
    /// Read the cookie from this file, instead of the variable OTP_RS_COOKIE
    #[arg(long, value_name = "FILE")]
    pub(crate) cookie: Option<PathBuf>,
    /// Allow the page to change processes
    #[arg(long)]
    pub(crate) write: bool,
    /// Open the address in the browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Serve the page on this port, instead of any free port
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        hide_default_value = true
    )]
    pub(crate) port: u16,
}
