//! A server whose callbacks do what tests request.
use std::time::Duration;

use otp_bridge::atom;
use otp_bridge::atoms::{continue_, hibernate, normal, ok, timeout};
use otp_bridge::gen_server::prelude::*;

use crate::echo::{Echo, Pause, Say};

/// The process to notify of everything that happens, and what has happened.
#[derive(Debug)]
pub struct Probe {
    observer: Pid,
    seen: Vec<Term>,
}

/// `{start, Observer, How}`
#[derive(Debug, Term)]
pub struct Start(pub Pid, pub How);

/// The result of `init/1`.
#[derive(Debug, Term)]
pub enum How {
    Plain,
    Continue,
    Timeout(u64),
    Hibernate,
    Stop(Term),
    Ignore,
    Panic,
    Exit(Term),
    Sleep(u64),
}

/// Requests. The reply tells what happened.
#[derive(Debug, Term)]
#[reply(Term)]
pub enum Do {
    /// `seen`
    Seen,
    /// `{echo, Term}`: calls the echo server.
    Echo(Term),
    /// `{apply, Module, Function, Arguments}`
    Apply(Atom, Atom, Vec<Term>),
    /// `{number, Module, Function, Arguments}`: calls a function whose result must be an integer.
    Number(Atom, Atom, Vec<Term>),
    /// `nobody`: calls a server that does not exist.
    Nobody,
    /// `late`: makes a call that exceeds its timeout.
    Late,
    /// `{panic, Text}`
    Panic(String),
    /// `{panic_after, Milliseconds}`: panics after an await.
    PanicAfter(u64),
    /// `{exit, Reason}`
    Exit(Term),
    /// `join`: runs two operations concurrently.
    Join,
    /// `hibernate`
    Hibernate,
    /// `{timeout, Milliseconds}`
    Timeout(u64),
    /// `stop`: replies and stops.
    Stop,
    /// `foreign`: awaits a future that is never woken.
    Foreign,
}

/// Sends `{Self, What}` to the observer.
fn tell(cx: &Cx<'_>, observer: &Pid, what: impl ToTerm) {
    cx.send(observer, (cx.pid(), what));
}

#[gen_server]
impl GenServer for Probe {
    type Args = Start;

    async fn init(Start(observer, how): Start, cx: &Cx<'_>) -> Result<Init<Self>> {
        let probe = Probe {
            observer,
            seen: Vec::new(),
        };
        Ok(match how {
            How::Plain => Init::Ok(probe),
            How::Continue => Init::OkWith(probe, (continue_, atom!("begun")).into()),
            How::Timeout(time) => Init::OkWith(probe, Duration::from_millis(time).into()),
            How::Hibernate => Init::OkWith(probe, hibernate.into()),
            How::Stop(reason) => Init::Stop(reason),
            How::Ignore => Init::Ignore,
            How::Panic => panic!("told to"),
            How::Exit(reason) => return Err(Exit::new(reason)),
            How::Sleep(time) => {
                cx.sleep(Duration::from_millis(time)).await?;
                Init::Ok(probe)
            }
        })
    }

    async fn handle_call(&mut self, request: Do, cx: &Cx<'_>) -> Result<HandleCall<Term>> {
        let echo = Server::<Echo>::local(atom!("echo"));
        let answer = match request {
            Do::Seen => Term::of(&self.seen),
            Do::Echo(term) => cx.call(&echo, Say(term)).await?,
            Do::Apply(module, function, arguments) => {
                cx.apply(module.text(), function.text(), arguments).await?
            }
            Do::Number(module, function, arguments) => {
                let number: i64 = cx.apply(module.text(), function.text(), arguments).await?;
                Term::of(&number)
            }
            Do::Nobody => cx.call(&atom!("nobody_there"), Say(Term::of(&1))).await?,
            Do::Late => {
                let paused = cx
                    .call_within(&echo, Pause(200), Timeout::from_millis(10))
                    .await;
                match paused {
                    Ok(atom) => Term::of(&atom),
                    Err(exit) => Term::of(&exit.to_string()),
                }
            }
            Do::Panic(text) => panic!("{text}"),
            Do::PanicAfter(time) => {
                cx.sleep(Duration::from_millis(time)).await?;
                panic!("after {time} ms")
            }
            Do::Exit(reason) => return Err(Exit::new(reason)),
            Do::Join => Term::of(&join(cx, &echo).await?),
            Do::Hibernate => return reply_with(Term::of(&ok), hibernate),
            Do::Timeout(time) => return reply_with(Term::of(&ok), Duration::from_millis(time)),
            Do::Stop => return stop_reply(normal, Term::of(&ok)),
            Do::Foreign => {
                std::future::pending::<()>().await;
                Term::of(&ok)
            }
        };
        self.seen.push(answer.clone());
        reply(answer)
    }

    fn handle_cast(&mut self, message: (Atom, u8)) -> HandleCast {
        self.seen.push(Term::of(&message));
        noreply()
    }

    fn handle_info(&self, _: timeout, cx: &Cx<'_>) -> HandleInfo {
        tell(cx, &self.observer, atom!("timed_out"));
        noreply()
    }

    fn handle_info(&mut self, other: Term, cx: &Cx<'_>) -> HandleInfo {
        tell(cx, &self.observer, &other);
        self.seen.push(other);
        noreply()
    }

    fn handle_continue(&self, info: Atom, cx: &Cx<'_>) -> HandleContinue {
        tell(cx, &self.observer, info);
        noreply()
    }

    fn terminate(&mut self, reason: TerminateReason, cx: &Cx<'_>) {
        let told = match reason {
            TerminateReason::Normal => Term::of(&atom!("ended_normally")),
            TerminateReason::Shutdown => Term::of(&atom!("shut_down")),
            TerminateReason::ShutdownWith(why) => why,
            TerminateReason::Other(other) => other,
        };
        tell(cx, &self.observer, told);
    }
}

/// Makes two concurrent calls. Each one gets its own answer.
async fn join(cx: &Cx<'_>, echo: &Server<Echo>) -> Result<(Term, Term)> {
    let mut first = std::pin::pin!(cx.call(echo, Say(Term::of(&atom!("first")))));
    let mut second = std::pin::pin!(cx.call(echo, Say(Term::of(&atom!("second")))));
    let (mut one, mut two) = (None, None);
    std::future::poll_fn(|context| {
        if one.is_none()
            && let std::task::Poll::Ready(answer) = first.as_mut().poll(context)
        {
            one = Some(answer);
        }
        if two.is_none()
            && let std::task::Poll::Ready(answer) = second.as_mut().poll(context)
        {
            two = Some(answer);
        }
        if one.is_some() && two.is_some() {
            std::task::Poll::Ready(())
        } else {
            std::task::Poll::Pending
        }
    })
    .await;
    match (one, two) {
        (Some(one), Some(two)) => Ok((one?, two?)),
        _ => Err(Exit::error(atom!("not_ready"))),
    }
}
