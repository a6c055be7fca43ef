//! A server that runs tasks in the pool.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::task::PoolHandle;
use otp_bridge::task::UNBOUNDED;
use otp_bridge::{atom, try_join_all};

use crate::worker::POOL;

/// A process with tasks in other processes.
#[derive(Debug)]
pub struct Client {
    kept: Vec<PoolHandle<u64>>,
}

/// Requests.
#[derive(Debug, Term)]
#[reply(Term)]
pub enum Ask {
    /// `{sum, Count}`: returns the sum of this many tasks. Each one returns its number.
    Sum(u64),
    /// `{place, Key}`: returns the process that runs the key's tasks.
    Place(u64),
    /// `{hold, Count}`: starts tasks that wait for ever, each in the worker with the fewest tasks.
    /// Returns the number of tasks of each worker.
    Hold(u64),
    /// `release`: aborts them. Returns how many were aborted, and how many each worker has left.
    Release,
    /// `fails`: returns the outcome of a task that fails, and of one that panics.
    Fails,
    /// `{lost, Key}`: returns the outcome of a task whose process is killed.
    Lost(u64),
    /// `{across, Tasks, Count}`: each task sends this many numbers. Returns how many arrived,
    /// whether those of each task arrived in order, and the sum.
    Across(u64, u64),
}

#[gen_server]
impl GenServer for Client {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Client { kept: Vec::new() })
    }

    async fn handle_call(&mut self, request: Ask, cx: &Cx<'_>) -> Result<HandleCall<Term>> {
        reply(match request {
            Ask::Sum(count) => {
                let start = |number| POOL.spawn(cx, &number, async move |_| Ok(number));
                let tasks: Vec<_> = (1..=count).map(start).collect();
                Term::of(&try_join_all(tasks).await?.into_iter().sum::<u64>())
            }
            Ask::Place(key) => {
                let place = POOL.spawn(cx, &key, async |cx| Ok(cx.pid())).await;
                Term::of(&place?)
            }
            Ask::Hold(count) => {
                for _ in 0..count {
                    let body = async |_: &Cx<'_>| std::future::pending().await;
                    self.kept.push(POOL.spawn_anywhere(cx, body));
                }
                Term::of(&POOL.loads())
            }
            Ask::Release => {
                let mut aborted = 0_u64;
                for task in self.kept.drain(..) {
                    task.abort(cx);
                    let reason = task.await.map_err(Exit::into_reason);
                    aborted += u64::from(reason == Err(Term::of(&atom!("aborted"))));
                }
                Term::of(&(aborted, POOL.loads()))
            }
            Ask::Fails => {
                let failed = POOL.spawn_anywhere(cx, async |_| -> Result<()> {
                    Err(Exit::new((atom!("sold_out"), 7)))
                });
                let panicked =
                    POOL.spawn_anywhere(cx, async |_| -> Result<()> { panic!("told to") });
                let reason = |ended: Result<()>| ended.err().map(Exit::into_reason);
                Term::of(&(reason(failed.await), reason(panicked.await)))
            }
            Ask::Lost(key) => {
                let lost = POOL.spawn(cx, &key, async |cx| -> Result<()> {
                    let own = cx.pid();
                    cx.apply::<bool, _>("erlang", "exit", (own, atom!("kill")))
                        .await?;
                    std::future::pending().await
                });
                Term::of(&lost.await.err().map(Exit::into_reason))
            }
            Ask::Across(tasks, count) => across(tasks, count, cx).await?,
        })
    }
}

async fn across(tasks: u64, count: u64, cx: &Cx<'_>) -> Result<Term> {
    let (address, mut mailbox) = cx.channel::<(u64, u64)>(UNBOUNDED);
    let address = address.shared(cx);
    for task in 0..tasks {
        let address = address.clone();
        let sends = POOL.spawn(cx, &task, async move |cx| {
            for number in 1..=count {
                address.send(cx, (task, number));
                if number % 10 == 0 {
                    cx.checkpoint().await;
                }
            }
            Ok(())
        });
        drop(sends);
    }
    drop(address);
    let mut last = vec![0; usize::try_from(tasks).unwrap_or_default()];
    let (mut came, mut in_order, mut sum) = (0_u64, true, 0);
    while let Some((task, number)) = mailbox.receive().await {
        let last = &mut last[usize::try_from(task).unwrap_or_default()];
        in_order &= number == *last + 1;
        *last = number;
        came += 1;
        sum += number;
    }
    Ok(Term::of(&(came, in_order, sum)))
}
