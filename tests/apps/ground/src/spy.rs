//! An event handler whose state nobody else sees.
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

    /// Anything else ends it, so that what it then tells can be looked at.
    fn handle_event(&mut self, other: Term) -> HandleEvent {
        panic!("not a key: {other}")
    }
}
