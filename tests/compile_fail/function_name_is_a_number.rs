//! A name is an atom.

use otp_bindings::ets;
use otp_bridge::{Cx, Result};

async fn new(cx: &Cx<'_>) -> Result<ets::Table> {
    ets::new(cx, 5, []).await
}

fn main() {}
