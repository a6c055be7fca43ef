//! A number is not a server.

use otp_bridge::{Cx, Result, Term};

#[derive(Debug, Term)]
#[reply(u64)]
struct Get;

async fn ask(cx: &Cx<'_>) -> Result<u64> {
    cx.call(&7, Get).await
}

fn main() {}
