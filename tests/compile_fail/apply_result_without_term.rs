//! What is read from Erlang must be a term.

use otp_bridge::{Cx, Result};

struct Memory(u64);

async fn memory(cx: &Cx<'_>) -> Result<Memory> {
    cx.apply("erlang", "memory", ()).await
}

fn main() {}
