//! A key is a term.

use otp_bindings::ets;
use otp_bridge::{Cx, Result};

struct Key(u64);

async fn next(cx: &Cx<'_>, table: ets::Table) -> Result<()> {
    let _next = ets::next(cx, table, Key(1)).await?;
    Ok(())
}

fn main() {}
