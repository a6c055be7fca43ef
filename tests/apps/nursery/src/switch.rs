//! A state machine as a child.
use otp_bridge::atoms::{call, ok};
use otp_bridge::gen_statem::prelude::*;

/// The state: `off | on`
#[derive(Debug, Clone, PartialEq, Term)]
pub enum Position {
    Off,
    On,
}

/// The data.
#[derive(Debug)]
pub struct Switch {
    pushes: u64,
}

/// `push`: the number of pushes.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Push;

#[gen_statem]
impl GenStatem for Switch {
    /// Initial number of pushes.
    type Args = u64;
    type State = Position;

    fn init(pushes: u64) -> impl InitReturn<Position, Self> {
        (ok, Position::Off, Switch { pushes })
    }

    fn handle_event(
        &mut self,
        (_, caller): (call, Caller<u64>),
        _: Push,
        state: Position,
    ) -> HandleEvent<Position> {
        self.pushes += 1;
        let next = match state {
            Position::Off => Position::On,
            Position::On => Position::Off,
        };
        next_state_actions(next, reply(caller, self.pushes))
    }
}
