//! A `supervisor_bridge`: a part that is not an OTP process.
use otp_bridge::atom;
use otp_bridge::atoms::{infinity, shutdown};
use otp_bridge::supervisor_bridge::prelude::*;

/// The process behind the bridge.
#[derive(Debug)]
pub struct Outside {
    pid: Pid,
}

#[supervisor_bridge]
impl SupervisorBridge for Outside {
    /// The name under which to register the part. `none` means that it does not start, and `wrong`
    /// that starting it fails.
    type Args = Atom;

    async fn init(name: Atom, cx: &Cx<'_>) -> Result<Init<Self>> {
        match name.text() {
            "none" => return Ok(Init::Ignore),
            "wrong" => return Ok(Init::Error(Term::of(&atom!("no_part")))),
            _ => {}
        }
        let sleep = (atom!("timer"), atom!("sleep"), vec![infinity]);
        let pid: Pid = cx.apply("erlang", "spawn_link", sleep).await?;
        let _: bool = cx.apply("erlang", "register", (name, pid.clone())).await?;
        Ok(Init::Ok(pid.clone(), Outside { pid }))
    }

    async fn terminate(&mut self, reason: Term, cx: &Cx<'_>) -> Result<Term> {
        let note = (atom!("bridge"), reason);
        let _: Atom = cx.apply("persistent_term", "put", note).await?;
        let stop = (self.pid.clone(), shutdown);
        cx.apply("erlang", "exit", stop).await
    }
}
