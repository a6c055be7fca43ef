//! A state machine whose data is a term.
use otp_bridge::atom;
use otp_bridge::atoms::{call, ok, postpone};
use otp_bridge::gen_statem::ExternalEventType;
use otp_bridge::gen_statem::prelude::*;

/// The state: `still | turning`
#[derive(Debug, Clone, PartialEq, Term)]
pub enum Wheel {
    Still,
    Turning,
}

/// The data: `{mill, Turns}`.
#[derive(Debug, Term)]
pub struct Mill(pub u64);

/// `turn`: returns how often it has turned.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Turn;

/// Ways to treat a caller.
#[derive(Debug, Term)]
#[reply(u64)]
pub enum Grind {
    /// `lose`: the caller is dropped.
    Lose,
    /// `wait`: the next turn answers the caller.
    Wait,
    /// `stop`: the machine ends.
    Stop,
}

/// `{sweep, Keep}`: replies or drops the caller.
#[derive(Debug, Term)]
pub struct Sweep(pub bool);

#[gen_statem]
impl GenStatem for Mill {
    type Args = u64;
    type State = Wheel;

    fn init(turns: u64) -> impl InitReturn<Wheel, Self> {
        (ok, Wheel::Still, Mill(turns))
    }

    fn handle_event(
        &mut self,
        (_, caller): (call, Caller<u64>),
        _: Turn,
        _: Wheel,
    ) -> HandleEvent<Wheel> {
        self.0 += 1;
        next_state_actions(Wheel::Turning, reply(caller, self.0))
    }
    fn handle_event(
        &mut self,
        (_, caller): (call, Caller<u64>),
        grind: Grind,
        wheel: Wheel,
    ) -> HandleEvent<Wheel> {
        match (grind, wheel) {
            (Grind::Wait, Wheel::Still) => keep_state_actions(postpone),
            (Grind::Wait, Wheel::Turning) => keep_state_actions(reply(caller, self.0)),
            (Grind::Lose, _) => keep_state(),
            (Grind::Stop, _) => stop(atom!("ground")),
        }
    }

    fn handle_event(
        &mut self,
        sent: ExternalEventType,
        Sweep(keep): Sweep,
        _: Wheel,
    ) -> HandleEvent<Wheel> {
        match sent {
            ExternalEventType::Call(caller) if keep => {
                keep_state_actions(reply(caller, Term::of(&self.0)))
            }
            _ => keep_state(),
        }
    }
}
