//! A server that replies at once, later or never.
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// The waiting callers.
#[derive(Debug)]
pub struct Echo {
    waiting: Vec<Caller<Term>>,
}

/// `{echo, Term}`: gets a reply at once.
#[derive(Debug, Term)]
#[reply(Term)]
pub struct Say(pub Term);

/// `later`: gets its reply with the next `{release, Term}`.
#[derive(Debug, Term)]
#[reply(Term)]
pub struct Later;

/// `{release, Term}`: replies to all waiting callers.
#[derive(Debug, Term)]
pub struct Release(pub Term);

/// `{pause, Milliseconds}`
#[derive(Debug, Term)]
#[reply(Atom)]
pub struct Pause(pub u64);

#[gen_server]
impl GenServer for Echo {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        let waiting = Vec::new();
        (ok, Echo { waiting })
    }

    fn handle_call(&self, Say(term): Say) -> HandleCall<Term> {
        reply(term)
    }

    fn handle_call(&mut self, _: Later, caller: Caller<Term>) -> HandleCallNoreply {
        self.waiting.push(caller);
        noreply()
    }

    async fn handle_call(&self, Pause(time): Pause, cx: &Cx<'_>) -> Result<HandleCall<Atom>> {
        cx.sleep(Duration::from_millis(time)).await?;
        reply(ok.into())
    }

    fn handle_cast(&mut self, Release(term): Release, cx: &Cx<'_>) -> HandleCast {
        for caller in self.waiting.drain(..) {
            caller.reply(cx, term.clone());
        }
        noreply()
    }
}
