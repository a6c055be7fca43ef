//! The command line of `cargo otp observe`.

use std::path::PathBuf;

use clap::Args;

/// Look at a running node in the browser: its supervision trees, processes, Rust states and log.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp observe left
  cargo otp observe left --open
  cargo otp observe left --cookie ~/.shop_cookie --write
  cargo otp observe shop@db.example.org --port 7000

The node is one that `cargo otp run --sname left` or `bin/NAME start` of a release has made, or any other
of Erlang/OTP. It serves a page on its own loopback address, and the command prints where. The address can be
opened once; the browser that has done so may look until Ctrl-C ends the command. Then nothing of it
stays in the node. At most eight commands observe a node.
Nothing can be changed, unless --write is given: then processes can be killed, garbage can be collected and
children can be restarted, each after a question in the page. A state that its module declares secret is not
shown. Nothing is loaded from elsewhere.
The page of a node on another machine is opened by way of ssh, with a port of your choice:
  ssh -L 7000:127.0.0.1:7000 db.example.org
docs/observe.md describes the page and what observing costs.
Exit codes: 0; 1 if the node cannot be reached or observed, or ends meanwhile; 2 for a mistake in otp-rs.")]
pub(crate) struct Observe {
    /// NAME or NAME@HOST of the node
    #[arg(value_name = "NODE")]
    pub(crate) node: String,
    /// Read the cookie from a file, not from the variable OTP_RS_COOKIE
    #[arg(long, value_name = "FILE")]
    pub(crate) cookie: Option<PathBuf>,
    /// Let the page change processes
    #[arg(long)]
    pub(crate) write: bool,
    /// Open the address in the browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Serve the page at this port, instead of any that is free
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        hide_default_value = true
    )]
    pub(crate) port: u16,
}
