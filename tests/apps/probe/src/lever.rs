//! A state machine whose actions are created where the compiler cannot know the module.
use std::time::Duration;

use otp_bridge::atom;
use otp_bridge::atoms::{internal, ok, state_timeout};
use otp_bridge::gen_statem::prelude::*;
use otp_bridge::term::Integer;

/// The state: `up`.
#[derive(Debug, Clone, PartialEq, Term)]
pub enum Side {
    Up,
}

/// The data: the number of pulls.
#[derive(Debug)]
pub struct Lever(u64);

/// Requests. The reply is the number of pulls.
#[derive(Debug, Term)]
#[reply(u64)]
pub enum Do {
    /// `close`: starts a timeout without a clause.
    Close,
    /// `{next, Term}`: inserts an event, which has a clause if it is `next`.
    Next(Term),
    /// `{wait, Milliseconds}`: starts a timeout, whose time may be negative.
    Wait(i64),
    /// `{push, Module}`: pushes that callback module.
    Push(Atom),
}

/// `next`
#[derive(Debug, Term)]
pub struct Next;

/// Creates the action.
fn action(what: Do) -> Action {
    match what {
        Do::Close => (state_timeout, Duration::from_secs(1), atom!("close")).into(),
        Do::Next(event) => next_event(internal, event),
        Do::Wait(time) => (state_timeout, Integer::from(time), Next).into(),
        Do::Push(module) => Action::PushCallbackModule(module),
    }
}

#[gen_statem]
impl GenStatem for Lever {
    type Args = ();
    type State = Side;

    fn init(_: ()) -> impl InitReturn<Side, Self> {
        (ok, Side::Up, Lever(0))
    }

    fn handle_event(
        &mut self,
        (_, caller): (call, Caller<u64>),
        what: Do,
        _: Side,
    ) -> HandleEvent<Side> {
        self.0 += 1;
        keep_state_actions(vec![action(what), reply(caller, self.0).into()])
    }

    fn handle_event(&mut self, _: internal, _: Next, _: Side) -> HandleEvent<Side> {
        keep_state()
    }
}
