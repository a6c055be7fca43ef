//! An option is one of those that the `-spec` lists.

use otp_bindings::ets;
use otp_bridge::{Cx, Result, atom, atoms};

async fn new(cx: &Cx<'_>) -> Result<ets::Table> {
    ets::new(cx, atom!("table"), vec![atoms::ok]).await
}

fn main() {}
