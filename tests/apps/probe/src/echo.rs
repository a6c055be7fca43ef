//! A server to call: answers later, by itself or never.
use std::time::Duration;

use otp_bridge::gen_server::prelude::*;

/// The callers that wait.
#[derive(Debug)]
pub struct Echo {
    waiting: Vec<From<Term>>,
}

/// `{echo, Term}`: answered at once.
#[derive(Debug, Term)]
#[reply(Term)]
pub struct Say(pub Term);

/// `later`: answered by the next `{release, Term}`.
#[derive(Debug, Term)]
#[reply(Term)]
pub struct Later;

/// `{release, Term}`: answers whoever waits.
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
        (
            ok,
            Echo {
                waiting: Vec::new(),
            },
        )
    }

    fn handle_call(self, Say(term): Say, _: From<Term>) -> HandleCall<Term, Self> {
        reply(term, self)
    }

    fn handle_call(mut self, _: Later, from: From<Term>) -> HandleCall<Term, Self> {
        self.waiting.push(from);
        noreply(self)
    }

    async fn handle_call(
        self,
        Pause(time): Pause,
        _: From<Atom>,
        cx: &Cx,
    ) -> Result<HandleCall<Atom, Self>> {
        cx.sleep(Duration::from_millis(time)).await?;
        reply(ok.into(), self)
    }

    async fn handle_cast(mut self, Release(term): Release, cx: &Cx) -> Result<HandleCast<Self>> {
        for from in std::mem::take(&mut self.waiting) {
            from.reply(cx, term.clone()).await?;
        }
        noreply(self)
    }
}
