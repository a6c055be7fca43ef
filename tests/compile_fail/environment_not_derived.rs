//! What `cx.env` reads derives `Env`.

use otp_bridge::{Cx, Result, Term};

#[derive(Term)]
struct Settings {
    port: u16,
}

async fn port(cx: &Cx<'_>) -> Result<u16> {
    Ok(cx.env::<Settings>().await?.port)
}

fn main() {}
