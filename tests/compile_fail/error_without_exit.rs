//! `?` needs to know how the error ends the process.

use otp_bridge::{Cx, Result};

async fn parse(text: &str, _: &Cx<'_>) -> Result<u64> {
    Ok(text.parse()?)
}

fn main() {}
