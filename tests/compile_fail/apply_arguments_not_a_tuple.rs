//! `lists:sum/1` takes one argument, which is given as a tuple of one: `(vec![1, 2],)`.

use otp_bridge::{Cx, Result};

async fn sum(cx: &Cx<'_>) -> Result<u64> {
    cx.apply("lists", "sum", vec![1, 2]).await
}

fn main() {}
