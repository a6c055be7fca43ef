//! A function takes all arguments of its `-spec`.

use otp_bindings::ets;
use otp_bridge::{Cx, Result, atom};

async fn new(cx: &Cx<'_>) -> Result<ets::Table> {
    ets::new(cx, atom!("table")).await
}

fn main() {}
