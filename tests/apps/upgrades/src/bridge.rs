//! A `supervisor_bridge`: a part that is not an OTP process.
use otp_bridge::atom;
use otp_bridge::atoms::infinity;
use otp_bridge::supervisor_bridge::prelude::*;

/// The process behind the bridge. Its type differs in the fourth build.
#[derive(Debug, Term)]
pub struct Bridge {
    #[cfg(not(build = "4"))]
    pid: Pid,
    #[cfg(build = "4")]
    part: Pid,
}

#[supervisor_bridge]
impl SupervisorBridge for Bridge {
    /// The process to notify at the end.
    type Args = Pid;

    async fn init(pid: Pid, cx: &Cx<'_>) -> Result<Init<Self>> {
        let sleep = (atom!("timer"), atom!("sleep"), vec![infinity]);
        let part: Pid = cx.apply("erlang", "spawn_link", sleep).await?;
        let state = Bridge {
            #[cfg(not(build = "4"))]
            pid,
            #[cfg(build = "4")]
            part: pid,
        };
        Ok(Init::Ok(part, state))
    }

    fn terminate(&mut self, _: Term, cx: &Cx<'_>) -> Term {
        #[cfg(not(build = "4"))]
        let pid = &self.pid;
        #[cfg(build = "4")]
        let pid = &self.part;
        cx.send(pid, (atom!("ended_by"), crate::BUILD.to_owned()));
        Term::of(&atom!("ok"))
    }
}
