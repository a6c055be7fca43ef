//! What is sent is a term.

use otp_bridge::{Cx, Result};

struct Get;

async fn ask(cx: &Cx<'_>) -> Result<u64> {
    cx.call(&otp_bridge::atom!("counter"), Get).await
}

fn main() {}
