//! What is read from Erlang has an Erlang form.

use otp_bridge::{Cx, Result};

struct Memory(u64);

async fn memory(cx: &Cx<'_>) -> Result<Memory> {
    cx.apply("erlang", "memory", ()).await
}

fn main() {}
