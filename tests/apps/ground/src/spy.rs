//! An event handler whose state is secret.
use otp_bridge::atoms::ok;
use otp_bridge::gen_event::prelude::*;

use crate::vault::Key;

/// The state.
pub struct Spy(Key);

#[gen_event(secret)]
impl GenEvent for Spy {
    type InitArgs = Key;

    fn init(key: Key) -> impl InitReturn<Self> {
        (ok, Spy(key))
    }

    fn handle_event(&mut self, key: Key) -> impl HandleEventReturn {
        self.0 = key;
        ok
    }

    /// Any other event ends it, so that the test can read its report.
    fn handle_event(&mut self, other: Term) -> HandleEvent {
        panic!("not a key: {other}")
    }
}
