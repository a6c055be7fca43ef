//! Text is a term, and not a request: nothing says what answers it.

use otp_bridge::{Cx, Pid, Result};

async fn ask(cx: &Cx<'_>, server: &Pid) -> Result<u64> {
    cx.call(server, "get").await
}

fn main() {}
