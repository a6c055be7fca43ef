//! A state machine that tells an observer the reason for its end.
use otp_bridge::atom;
use otp_bridge::atoms::{cast, ok};
use otp_bridge::gen_statem::prelude::*;

/// The state: `open`.
#[derive(Debug, Clone, PartialEq, Term)]
pub enum Side {
    Open,
}

/// The process to notify.
#[derive(Debug)]
pub struct Valve(Pid);

/// `note`: the only cast that it accepts.
#[derive(Debug, Term)]
pub struct Note;

#[gen_statem]
impl GenStatem for Valve {
    type Args = Pid;
    type State = Side;

    fn init(observer: Pid) -> impl InitReturn<Side, Self> {
        (ok, Side::Open, Valve(observer))
    }

    fn handle_event(&mut self, _: cast, _: Note, _: Side) -> HandleEvent<Side> {
        keep_state()
    }

    fn terminate(&mut self, reason: &TerminateReason, _: Side, cx: &Cx<'_>) {
        cx.send(&self.0, (cx.pid(), (atom!("terminate"), reason.clone())));
    }
}
