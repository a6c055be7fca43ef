//! An async function of an Erlang module owns its arguments.

use otp_bridge::{Cx, Result, Term, module};

#[derive(Debug, Term)]
pub struct Put<'a>(&'a str);

#[module]
pub mod store {
    use super::*;

    pub async fn put(Put(_key): Put<'_>, cx: &Cx<'_>) -> Result<u8> {
        cx.sleep(std::time::Duration::ZERO).await?;
        Ok(1)
    }
}

fn main() {}
