//! An event handler that tells an observer for which reason it ends.
use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_event::prelude::*;

/// The process that is told.
#[derive(Debug)]
pub struct Listener(Pid);

/// `note`: the only event that it takes.
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

    /// Anything else ends it.
    fn handle_event(&mut self, other: Term) -> Result<HandleEvent> {
        other.decode::<Note>()?;
        Ok(HandleEvent::Ok)
    }

    fn terminate(&mut self, reason: &TerminateArgs, cx: &Cx<'_>) {
        cx.send(&self.0, (cx.pid(), (atom!("terminate"), reason.clone())));
    }
}
