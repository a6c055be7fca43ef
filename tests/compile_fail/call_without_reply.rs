//! A request says what the reply is, for the client too.

use otp_bridge::{Cx, Pid, Result, Term};

#[derive(Debug, Term)]
struct Get;

async fn ask(cx: &Cx<'_>, server: &Pid) -> Result<u64> {
    cx.call(server, Get).await
}

fn main() {}
