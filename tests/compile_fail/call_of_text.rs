//! A string is a term and not a request: it does not say what the reply is.

use otp_bridge::{Cx, Pid, Result};

async fn ask(cx: &Cx<'_>, server: &Pid) -> Result<u64> {
    cx.call(server, "get").await
}

fn main() {}
