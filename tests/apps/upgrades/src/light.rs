//! A state machine.
use otp_bridge::atoms::{call, cast, ok};
use otp_bridge::gen_statem::prelude::*;

/// The state: `off | on`
#[derive(Debug, Clone, PartialEq, Term)]
pub enum Level {
    Off,
    On,
}

/// The data: how often it was pushed.
#[derive(Debug, Term)]
pub struct Light {
    pushed: u64,
}

/// `push`
#[derive(Debug, Term)]
pub struct Push;

/// `seen`: how often it was pushed, and which build says so.
#[derive(Debug, Term)]
#[reply((u64, String))]
pub struct Seen;

#[gen_statem]
impl GenStatem for Light {
    type Args = ();
    type State = Level;

    fn init(_: ()) -> impl InitReturn<Level, Self> {
        (ok, Level::Off, Light { pushed: 0 })
    }

    fn handle_event(&mut self, _: cast, _: Push, state: Level) -> HandleEvent<Level> {
        self.pushed += 1;
        next_state(match state {
            Level::Off => Level::On,
            Level::On => Level::Off,
        })
    }

    fn handle_event(
        &self,
        (_, caller): (call, Caller<(u64, String)>),
        _: Seen,
        _: Level,
    ) -> HandleEvent<Level> {
        keep_state_actions(reply(caller, (self.pushed, crate::BUILD.to_owned())))
    }
}
