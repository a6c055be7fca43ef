//! A server that tells an observer the reason for its own end, and those of other processes.
use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// The process to notify.
#[derive(Debug)]
pub struct Witness(Pid);

/// `note`: the only cast that it accepts.
#[derive(Debug, Term)]
pub struct Note;

#[gen_server]
impl GenServer for Witness {
    type Args = Pid;

    fn init(observer: Pid, cx: &Cx<'_>) -> impl InitReturn<Self> {
        cx.trap_exit(true);
        (ok, Witness(observer))
    }

    fn handle_cast(&mut self, _: Note) -> HandleCast {
        noreply()
    }

    fn handle_info(&mut self, message: Term, cx: &Cx<'_>) -> HandleInfo {
        cx.send(&self.0, (cx.pid(), (atom!("info"), message)));
        noreply()
    }

    fn terminate(&mut self, reason: Term, cx: &Cx<'_>) {
        cx.send(&self.0, (cx.pid(), (atom!("terminate"), reason)));
    }
}
