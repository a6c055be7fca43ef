//! A server that sends many requests at once.
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::PendingRequest;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::{Down, Response};
use otp_bridge::try_join_all;

/// Requests that have no reply yet.
#[derive(Debug)]
pub struct Courier {
    kept: Vec<PendingRequest<u64>>,
    seen: Vec<Term>,
}

/// `count`
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Count;

/// Requests.
#[derive(Debug, Term)]
#[reply(Term)]
pub enum Do {
    /// `seen`: returns the received messages.
    Seen,
    /// `{all, Clerks}`: awaits all replies, in the order of the clerks.
    All(Vec<Pid>),
    /// `{some, Clerks}`: awaits whatever comes first, until there is a reply.
    Some(Vec<Pid>),
    /// `{keep, Clerk}`: sends a request whose reply comes later.
    Keep(Pid),
}

#[gen_server]
impl GenServer for Courier {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        let courier = Courier {
            kept: Vec::new(),
            seen: Vec::new(),
        };
        (ok, courier)
    }

    async fn handle_call(&mut self, request: Do, cx: &Cx<'_>) -> Result<HandleCall<Term>> {
        reply(match request {
            Do::Seen => Term::of(&std::mem::take(&mut self.seen)),
            Do::All(clerks) => {
                let requests = clerks.iter().map(|clerk| cx.send_request(clerk, Count));
                Term::of(&try_join_all(requests).await?)
            }
            Do::Some(clerks) => {
                let requests = clerks.iter().map(|clerk| cx.send_request(clerk, Count));
                let mut replies: FuturesUnordered<_> = requests.collect();
                let mut outcomes = Vec::new();
                while let Some(reply) = replies.next().await {
                    let is_reply = reply.is_ok();
                    outcomes.push(reply.map_err(reason));
                    if is_reply {
                        break;
                    }
                }
                outcomes.sort_by_key(|outcome: &Result<u64, Term>| outcome.is_ok());
                Term::of(&outcomes)
            }
            Do::Keep(clerk) => {
                self.kept.push(cx.pending_request(&clerk, Count).await?);
                Term::of(&ok)
            }
        })
    }

    fn handle_info(&mut self, response: Response) -> Result<HandleInfo> {
        let kept = self.kept.iter().position(|request| request.is(&response));
        let request = self.kept.swap_remove(kept.expect("it is one of its own"));
        let count = request.reply(&response)?;
        self.seen.push(Term::of(&count));
        noreply()
    }

    fn handle_info(&mut self, down: Down) -> HandleInfo {
        let kept = self.kept.iter().position(|request| request.is_down(&down));
        self.kept.swap_remove(kept.expect("it is one of its own"));
        self.seen.push(down.reason);
        noreply()
    }
}

/// Returns the reason without the failed call: `{Reason, {gen_server, call, …}}`.
fn reason(exit: Exit) -> Term {
    match exit.into_reason() {
        Term::Tuple(parts) => parts[0].clone(),
        other => other,
    }
}
