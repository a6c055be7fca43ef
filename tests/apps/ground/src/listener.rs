//! An event handler that tells an observer the reason for its end.
use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_event::prelude::*;

/// The process to notify.
#[derive(Debug)]
pub struct Listener(Pid);

/// `note`: the only event that it accepts.
#[derive(Debug, Term)]
pub struct Note;

#[gen_event]
impl GenEvent for Listener {
    type InitArgs = Pid;

    fn init(observer: Pid) -> impl InitReturn<Self> {
        (ok, Listener(observer))
    }

    fn handle_event(&mut self, _: Note) -> impl HandleEventReturn {
        ok
    }

    /// Any other event ends it.
    fn handle_event(&mut self, other: Term) -> Result<HandleEvent> {
        other.decode::<Note>()?;
        Ok(HandleEvent::Ok)
    }

    fn terminate(&mut self, reason: &TerminateArgs, cx: &Cx<'_>) {
        cx.send(&self.0, (cx.pid(), (atom!("terminate"), reason.clone())));
    }
}
