//! The context belongs to one call: nothing outlives it that could keep it.

use std::sync::Mutex;

use otp_bridge::Cx;

static KEPT: Mutex<Option<&'static Cx<'static>>> = Mutex::new(None);

fn keep(cx: &Cx<'_>) {
    *KEPT.lock().unwrap() = Some(cx);
}

fn main() {}
