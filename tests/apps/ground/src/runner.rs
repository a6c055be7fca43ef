//! A server that awaits several operations concurrently.
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::{PendingRequest, prelude::*};
use otp_bridge::{join, race, try_join};

use crate::desk::{Ask, Echo, Forget};

/// Messages that no callback waited for.
#[derive(Debug)]
pub struct Runner {
    seen: Vec<Term>,
    pending: Option<PendingRequest<u64>>,
}

/// Requests. The desks reply on command.
#[derive(Debug, Term)]
#[reply(Term)]
pub enum Do {
    /// `seen`: returns the messages.
    Seen,
    /// `{race, Desk}`: races a call against a sleep.
    Race(Pid),
    /// `{join, Desk, Desk}`
    Join(Pid, Pid),
    /// `{try_join, Desk}`: calls the desk, and concurrently a server that does not exist.
    TryJoin(Pid),
    /// `{late, Desk}`: calls with a time limit, which expires.
    Late(Pid),
    /// `{in_time, Desk}`: calls with a time limit, and gets a reply in time.
    InTime(Pid),
    /// `{forgotten, Desk}`: leaks an operation, so that its destructor does not run.
    Forgotten(Pid),
    /// `{dropped, Desk}`
    Dropped(Pid),
    /// `{doubly, Desk}`: polls an operation twice before there is an answer.
    Doubly(Pid),
    /// `{kept, Desk}`: polls an operation again only after another call has got its reply.
    Kept(Pid),
    /// `{work_beside, Desk}`: works on dirty schedulers and at checkpoints, concurrently with
    /// calls.
    WorkBeside(Pid),
    /// `{after_its_end, Desk}`: polls an operation again after its end.
    AfterItsEnd(Pid),
    /// `{forgetful, Desk}`: calls a desk that forgets its caller, once alone and once concurrently
    /// with another call.
    Forgetful(Pid),
    /// `{pending, Desk}`: sends a request that the desk forgets. A message reports the end.
    Pending(Pid),
    /// `{no_such, Desk}`: calls servers that cannot be called, concurrently with one that can.
    NoSuch(Pid),
}

const MOMENT: Duration = Duration::from_millis(50);

#[gen_server]
impl GenServer for Runner {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        let (seen, pending) = (Vec::new(), None);
        (ok, Runner { seen, pending })
    }

    async fn handle_call(&mut self, request: Do, cx: &Cx<'_>) -> Result<HandleCall<Term>> {
        reply(match request {
            Do::Seen => Term::of(&self.seen),
            Do::Race(desk) => against_a_sleep(&desk, cx).await?,
            Do::Join(one, other) => {
                let one = cx.call(&one, Ask(atom!("one")));
                let other = cx.call(&other, Ask(atom!("other")));
                let (one, other) = join!(one, other).await;
                Term::of(&(one?, other?))
            }
            Do::TryJoin(desk) => {
                let answered = cx.call(&desk, Ask(atom!("cancelled")));
                let nobody = atom!("nobody_there");
                let failing = cx.call(&nobody, Echo(1));
                why(try_join!(answered, failing).await)
            }
            Do::Late(desk) => {
                let answer = cx.call(&desk, Ask(atom!("late")));
                match cx.timeout(MOMENT, answer).await {
                    Ok(answer) => Term::of(&answer?),
                    Err(elapsed) => Term::of(&elapsed.to_string()),
                }
            }
            Do::InTime(desk) => {
                let answer = cx.call(&desk, Echo(5));
                match cx.timeout(100 * MOMENT, answer).await {
                    Ok(answer) => Term::of(&answer?),
                    Err(elapsed) => Term::of(&elapsed.to_string()),
                }
            }
            Do::Forgotten(desk) => {
                let mut call = Box::pin(cx.call(&desk, Ask(atom!("forgotten"))));
                once(call.as_mut()).await;
                std::mem::forget(call);
                cx.sleep(Duration::ZERO).await?;
                Term::of(&ok)
            }
            Do::Dropped(desk) => {
                let mut call = Box::pin(cx.call(&desk, Ask(atom!("dropped"))));
                once(call.as_mut()).await;
                cx.sleep(Duration::ZERO).await?;
                drop(call);
                Term::of(&ok)
            }
            Do::Doubly(desk) => {
                let mut call = pin!(cx.call(&desk, Ask(atom!("doubly"))));
                once(call.as_mut()).await;
                once(call.as_mut()).await;
                Term::of(&call.await?)
            }
            Do::Kept(desk) => {
                let mut first = pin!(cx.call(&desk, Ask(atom!("first"))));
                once(first.as_mut()).await;
                let second = cx.call(&desk, Ask(atom!("second"))).await?;
                Term::of(&(first.await?, second))
            }
            Do::WorkBeside(desk) => {
                let calls = join!(cx.call(&desk, Echo(1)), cx.call(&desk, Echo(2)));
                let work = join!(cx.dirty(|| 3_u64), cx.blocking(|| 4_u64), cx.yield_now());
                let ((one, two), (three, four, ())) = join!(calls, work).await;
                Term::of(&(one?, two?, three, four))
            }
            Do::AfterItsEnd(desk) => {
                let mut call = pin!(cx.call(&desk, Echo(6)));
                call.as_mut().await?;
                Term::of(&call.await?)
            }
            Do::Forgetful(desk) => {
                let alone = why(cx.call(&desk, Forget).await);
                let beside = join!(cx.call(&desk, Echo(8)), cx.call(&desk, Forget)).await;
                Term::of(&(reason(alone), beside.0?, reason(why(beside.1))))
            }
            Do::Pending(desk) => {
                self.pending = Some(cx.pending_request(&desk, Forget).await?);
                Term::of(&ok)
            }
            Do::NoSuch(desk) => no_such(&desk, cx).await?,
        })
    }

    fn handle_info(&mut self, message: Term) -> HandleInfo {
        self.seen.push(message);
        noreply()
    }
}

/// Races a call without a reply against a sleep.
async fn against_a_sleep(desk: &Pid, cx: &Cx<'_>) -> Result<Term> {
    let called = async { Ok(Term::of(&cx.call(desk, Ask(atom!("raced"))).await?)) };
    let slept = async {
        cx.sleep(MOMENT).await?;
        Ok(Term::of(&atom!("slept")))
    };
    race(called, slept).await
}

/// Makes each of these calls concurrently with one that gets a reply, so that the process waits for
/// both.
async fn no_such(desk: &Pid, cx: &Cx<'_>) -> Result<Term> {
    let via = Server::<Runner>::via(atom!("no_registry"), atom!("name"));
    let node = Server::<Runner>::on_node(atom!("name"), atom!("no@such.node"));
    let global = Server::<Runner>::global(atom!("no_such_name"));
    let own = Server::<Runner>::from(cx.pid());
    let mut reasons = Vec::new();
    for server in [via, node, global, own] {
        let (answer, failed) = join!(cx.call(desk, Echo(7)), cx.call(&server, Do::Seen)).await;
        answer?;
        reasons.push(why(failed));
    }
    // An OTP function that calls this process, and the line of the call.
    let own = cx.apply::<Term, _>("gen_server", "call", (cx.pid(), Do::Seen));
    let line = line!() - 1;
    let (answer, failed) = join!(cx.call(desk, Echo(7)), own).await;
    answer?;
    let at = failed.as_ref().err().map(|exit| exit.location().line());
    reasons.push(Term::of(&(reason(why(failed)), at == Some(line))));
    Ok(Term::of(&reasons))
}

/// Returns the reason of a failure.
fn why<T>(failed: Result<T>) -> Term {
    match failed {
        Ok(_) => Term::of(&ok),
        Err(exit) => exit.into_reason(),
    }
}

/// Returns `Reason` of `{Reason, {gen_server, call, Arguments}}`.
fn reason(exit: Term) -> Term {
    match exit {
        Term::Tuple(parts) if parts.len() == 2 => parts[0].clone(),
        other => other,
    }
}

/// Polls a future once that is not ready.
async fn once<F: Future>(mut future: Pin<&mut F>) {
    poll_fn(|context| {
        assert!(future.as_mut().poll(context).is_pending(), "not answered");
        Poll::Ready(())
    })
    .await;
}
