//! A server with tasks.
use std::time::Duration;

use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::task::JoinHandle;

use crate::{exchange, ownership, plain, scopes};

/// A process with tasks.
#[derive(Debug)]
pub struct Owner {
    kept: Vec<JoinHandle<u64>>,
}

/// Requests.
#[derive(Debug, Term)]
#[reply(Term)]
pub enum Do {
    /// `ping`
    Ping,
    /// `{sum, Count}`: of so many tasks, each of which evaluates to its number.
    Sum(u64),
    /// `{tell, To, Text, Milliseconds}`: by a task, after a time.
    Tell(Pid, Term, u64),
    /// `{spin, Count}`: tasks that go on for ever and give way.
    Spin(u64),
    /// `{idle, Count}`: tasks that wait for ever.
    Idle(u64),
    /// `abort`: all of them.
    Abort,
    /// `panics`: what awaiting a task that panics gives.
    Panics,
    /// `{chain, Length, Rounds}`: a number that so many tasks hand on to each other in a ring.
    Chain(u64, u64),
    /// `{many, Count}`: tasks that wait for a message each, get it, and send one back. Their sum.
    Many(u64),
    /// `{sleepers, Count, Milliseconds}`: tasks that sleep for up to so long. How many have slept
    /// for too short a time.
    Sleepers(u64, u64),
    /// `bounded`: what a full mailbox gives back, and what comes of waiting for room.
    Bounded,
    /// `broadcast`
    Broadcast,
    /// `raced`: what wins, and whether the loser's message is there.
    Raced,
    /// `{asks, Server, Count}`: calls of another server, all at once.
    Asks(Pid, u64),
    /// `scoped`: what becomes of tasks when their scope ends, and when one of them fails.
    Scoped,
    /// `{watched, Milliseconds}`: how often a task was started that gets stuck twice.
    Watched(u64),
    /// `{listen, To, Count}`: a task that receives so many words from Erlang and tells them.
    Listen(Pid, u64),
    /// `open`: the address of a mailbox whose task tells each sender the sum so far.
    Open,
    /// `{fair, Milliseconds}`: how often a task had turns beside one that computes for so long,
    /// with checkpoints.
    Fair(u64),
    /// `{greedy, Milliseconds}`: a task that computes for so long, without.
    Greedy(u64),
    /// `{plain, To, Words, Waiting}`: a process that is not a behaviour's, with tasks.
    Plain(Pid, u64, u64),
    /// `waiting`: how many tasks of such processes have not been dropped.
    Waiting,
    /// `callers`: where functions of Erlang run.
    Callers,
    /// `given`: what is left of what they give.
    Given,
    /// `{linked, Milliseconds}`: a task that panics later, and its process with it.
    Linked(u64),
    /// `{beside, To, Milliseconds}`: what a function of Erlang returns that takes so long, in a
    /// task, which tells it, and in this callback.
    Beside(Pid, u64),
}

#[gen_server]
impl GenServer for Owner {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Owner { kept: Vec::new() })
    }

    async fn handle_call(&mut self, request: Do, cx: &Cx<'_>) -> Result<HandleCall<Term>> {
        reply(match request {
            Do::Ping => Term::of(&ok),
            Do::Sum(count) => {
                let tasks: Vec<_> = (1..=count)
                    .map(|number| cx.spawn_task(async move |_| Ok(number)))
                    .collect();
                let mut sum = 0;
                for task in tasks {
                    sum += task.await?;
                }
                Term::of(&sum)
            }
            Do::Tell(to, text, time) => {
                cx.spawn_task(async move |cx| {
                    cx.sleep(Duration::from_millis(time)).await?;
                    cx.send(&to, text);
                    Ok(())
                });
                Term::of(&ok)
            }
            Do::Spin(count) => {
                for _ in 0..count {
                    let task = cx.spawn_task(async |cx| {
                        loop {
                            cx.yield_now().await;
                        }
                    });
                    self.kept.push(task);
                }
                Term::of(&ok)
            }
            Do::Idle(count) => {
                for _ in 0..count {
                    self.kept
                        .push(cx.spawn_task(async |_| std::future::pending().await));
                    cx.checkpoint().await;
                }
                Term::of(&ok)
            }
            Do::Beside(to, time) => {
                cx.spawn_task(async move |cx| {
                    let returned: Term = cx.apply("timer", "sleep", (2 * time,)).await?;
                    cx.send(&to, (atom!("returned"), returned));
                    Ok(())
                });
                cx.apply("timer", "sleep", (time,)).await?
            }
            Do::Abort => {
                for task in &self.kept {
                    task.abort();
                    cx.checkpoint().await;
                }
                let mut aborted = 0_u64;
                for task in std::mem::take(&mut self.kept) {
                    aborted += u64::from(task.await.is_err());
                    cx.checkpoint().await;
                }
                Term::of(&aborted)
            }
            Do::Panics => {
                let task = cx.spawn_task(async |_| -> Result<()> { panic!("told to") });
                let ended = task.await;
                Term::of(&ended.expect_err("it panics").into_reason())
            }
            Do::Chain(length, rounds) => Term::of(&exchange::chain(length, rounds, cx).await?),
            Do::Many(count) => Term::of(&exchange::many(count, cx).await?),
            Do::Sleepers(count, time) => Term::of(&exchange::sleepers(count, time, cx).await?),
            Do::Bounded => exchange::bounded(cx).await?,
            Do::Callers => ownership::callers(cx).await?,
            Do::Given => ownership::given(cx).await?,
            Do::Broadcast => exchange::broadcast(cx).await?,
            Do::Raced => exchange::raced(cx).await?,
            Do::Asks(server, count) => {
                let tasks: Vec<_> = (0..count)
                    .map(|number| {
                        let server = server.clone();
                        cx.spawn_task(async move |cx| {
                            let echo = (atom!("echo"), number);
                            cx.apply::<u64, _>("gen_server", "call", (server, echo))
                                .await
                        })
                    })
                    .collect();
                let mut sum = 0;
                for task in tasks {
                    sum += task.await?;
                }
                Term::of(&sum)
            }
            Do::Scoped => scopes::scoped(cx).await?,
            Do::Watched(time) => scopes::watched(time, cx).await?,
            Do::Listen(to, count) => {
                cx.spawn_task(async move |cx| scopes::listen(&to, count, cx).await);
                Term::of(&ok)
            }
            Do::Open => Term::of(&scopes::open(cx)),
            Do::Fair(time) => Term::of(&scopes::fair(time, cx).await?),
            Do::Greedy(time) => {
                cx.spawn_task(async move |_| {
                    scopes::compute(Duration::from_millis(time));
                    Ok(())
                });
                Term::of(&ok)
            }
            Do::Plain(to, words, waiting) => {
                let body = async move |cx: &Cx<'_>| plain::run(&to, words, waiting, cx).await;
                Term::of(&cx.spawn_process(body).await?)
            }
            Do::Waiting => Term::of(&plain::waiting()),
            Do::Linked(time) => {
                let task = cx.spawn_task(async move |cx| -> Result<()> {
                    cx.sleep(Duration::from_millis(time)).await?;
                    panic!("told to, with the process")
                });
                drop(task.linked());
                Term::of(&ok)
            }
        })
    }
}
