//! A message is received by its type, which has to be a term.

use otp_bridge::{Cx, Result};
use otp_bridge_novm as _;

struct Number(u64);

async fn next(cx: &Cx<'_>) -> Result<Number> {
    cx.receive::<Number>().await
}

fn main() {}
