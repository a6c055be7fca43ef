//! A state machine whose data is secret.
use otp_bridge::atoms::{call, cast, ok, postpone};
use otp_bridge::gen_statem::prelude::*;

use crate::vault::Key;

/// The state: `locked`
#[derive(Debug, Clone, PartialEq, Term)]
pub enum Door {
    Locked,
}

/// The data.
pub struct Safe(Key);

/// `turn`: returns the length of the key.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Turn;

#[gen_statem(secret)]
impl GenStatem for Safe {
    type Args = Key;
    type State = Door;

    fn init(key: Key) -> impl InitReturn<Door, Self> {
        (ok, Door::Locked, Safe(key))
    }

    fn handle_event(
        &self,
        (_, caller): (call, Caller<u64>),
        _: Turn,
        _: Door,
    ) -> HandleEvent<Door> {
        let Safe(Key(key)) = self;
        keep_state_actions(reply(caller, key.len() as u64))
    }

    fn handle_event(&self, _: cast, _: Key, _: Door) -> HandleEvent<Door> {
        keep_state_actions(postpone)
    }
}
