//! Does not compile: each call has an argument that OTP's `-spec` does not allow.

use otp_bindings::{ets, gen_tcp, timer};
use otp_bridge::{Cx, Result, Timeout};

/// The table is an atom or a reference.
pub async fn table(cx: &Cx<'_>) -> Result<bool> {
    ets::delete(cx, 7_u8).await
}

/// A port number has 16 bits.
pub async fn port(cx: &Cx<'_>) {
    let _ = gen_tcp::listen(cx, 65_536_u32, Vec::new()).await;
}

/// Times are in milliseconds, and only some functions take `infinity`.
pub async fn time(cx: &Cx<'_>) {
    let _ = timer::send_after(cx, Timeout::Infinity, "late").await;
}

/// No such option exists.
pub async fn option(cx: &Cx<'_>) {
    let _ = ets::new(
        cx,
        otp_bridge::atom!("t"),
        vec![otp_bindings::atoms::once.into()],
    )
    .await;
}

/// A string is not an atom.
pub async fn name(cx: &Cx<'_>) {
    let _ = ets::new(cx, "table", Vec::new()).await;
}

struct Key;

/// Any term is allowed, but this is not a term.
pub async fn key(cx: &Cx<'_>) {
    let _ = ets::lookup(cx, otp_bridge::atom!("table"), Key).await;
}

fn main() {}
