//! Options are a list.

use otp_bindings::ets;
use otp_bridge::{Cx, Result, atom};

async fn new(cx: &Cx<'_>) -> Result<ets::Table> {
    ets::new(cx, atom!("table"), 5).await
}

fn main() {}
