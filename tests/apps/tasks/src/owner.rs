//! A server with tasks.
use std::time::Duration;

use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::task::JoinHandle;

use crate::{exchange, ownership, plain, scopes};

/// A process that owns tasks.
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
    /// `{sum, Count}`: returns the sum of this many tasks. Each one returns its number.
    Sum(u64),
    /// `{tell, To, Text, Milliseconds}`: sends a text from a task, after a time.
    Tell(Pid, Term, u64),
    /// `{spin, Count}`: starts tasks that run for ever, and yield.
    Spin(u64),
    /// `{idle, Count}`: tasks that wait for ever.
    Idle(u64),
    /// `abort`: aborts all tasks.
    Abort,
    /// `panics`: returns the result of awaiting a task that panics.
    Panics,
    /// `{chain, Length, Rounds}`: passes a number around a ring of tasks.
    Chain(u64, u64),
    /// `{many, Count}`: starts tasks that each wait for a message and send one back. Returns the
    /// sum.
    Many(u64),
    /// `{sleepers, Count, Milliseconds}`: starts tasks that sleep for up to this time. Returns how
    /// many have woken up too early.
    Sleepers(u64, u64),
    /// `bounded`: returns what sending to a full mailbox gives back, and the outcome of waiting for
    /// room.
    Bounded,
    /// `broadcast`
    Broadcast,
    /// `raced`: returns the winner, and whether the loser's message is still there.
    Raced,
    /// `{asks, Server, Count}`: makes this many concurrent calls to another server.
    Asks(Pid, u64),
    /// `scoped`: returns the outcomes of tasks when their scope ends, and when one of them fails.
    Scoped,
    /// `{watched, Milliseconds}`: returns how often a task was started that gets stuck twice.
    Watched(u64),
    /// `{listen, To, Count}`: starts a task that receives this many words from Erlang, and reports
    /// them.
    Listen(Pid, u64),
    /// `open`: returns the address of a mailbox. Its task reports the present sum to each sender.
    Open,
    /// `{fair, Milliseconds}`: returns how many turns a task got while another one computed for
    /// this time, with checkpoints.
    Fair(u64),
    /// `{greedy, Milliseconds}`: starts a task that computes for this time, without checkpoints.
    Greedy(u64),
    /// `{plain, To, Words, Waiting}`: starts a process without a behaviour, with tasks.
    Plain(Pid, u64, u64),
    /// `waiting`: returns how many tasks of these processes were not dropped.
    Waiting,
    /// `callers`: returns in which process Erlang functions run.
    Callers,
    /// `given`: returns whether their results still work.
    Given,
    /// `{linked, Milliseconds}`: starts a task that panics later, together with its process.
    Linked(u64),
    /// `{beside, To, Milliseconds}`: awaits an Erlang function that takes this long, in a task,
    /// which reports the result, and in the callback.
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
