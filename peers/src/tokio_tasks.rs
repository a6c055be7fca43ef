//! A task of Tokio for each actor, and Tokio's unbounded channels.

use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::yield_now;
use tokio::time::{sleep, sleep_until};

use crate::load::{compute, due, workers};
use crate::program::{Programs, delay, taken, timed, worked};
use crate::threads::others;

pub(crate) struct Tokio(Runtime);

impl Tokio {
    /// A worker thread for each core.
    pub(crate) fn multi_thread() -> Self {
        let runtime = Builder::new_multi_thread().enable_time().build();
        Tokio(runtime.expect("a runtime starts"))
    }

    pub(crate) fn current_thread() -> Self {
        let runtime = Builder::new_current_thread().enable_time().build();
        Tokio(runtime.expect("a runtime starts"))
    }

    /// Runs the program as a task, like the tasks that it starts.
    fn timed<F: Future<Output: Send> + Send + 'static>(&self, program: F) -> Duration {
        timed(|| {
            let task = self.0.spawn(program);
            self.0.block_on(task).expect("it does not panic");
        })
    }
}

/// Waits for one message from each actor.
pub(crate) async fn all<T>(messages: &mut UnboundedReceiver<T>, number: usize) {
    for _ in 0..number {
        messages.recv().await.expect("one of them runs");
    }
}

/// Returns how long each call of all clients takes. Each client is a task.
pub(crate) async fn calls<C, F>(clients: usize, call: C) -> Vec<Duration>
where
    C: Fn() -> F + Clone + Send + Sync + 'static,
    F: Future<Output = u64> + Send,
{
    let client = |index| {
        let call = call.clone();
        tokio::spawn(async move {
            let mut times = Vec::new();
            for due in due(index, clients) {
                sleep_until(due.into()).await;
                call().await;
                times.push(due.elapsed());
            }
            times
        })
    };
    let mut times = Vec::new();
    for client in (0..clients).map(client).collect::<Vec<_>>() {
        times.extend(client.await.expect("it calls"));
    }
    times
}

type Mailboxes<T> = (Vec<UnboundedSender<T>>, Vec<UnboundedReceiver<T>>);

/// A mailbox for each actor.
fn mailboxes<T>(number: usize) -> Mailboxes<T> {
    (0..number).map(|_| unbounded_channel()).unzip()
}

impl Programs for Tokio {
    fn ring(&self, members: usize, hops: u64) -> Duration {
        let (senders, receivers) = mailboxes::<u64>(members);
        let (ended, mut end) = unbounded_channel();
        for (index, mut mailbox) in receivers.into_iter().enumerate() {
            let next = senders[(index + 1) % members].clone();
            let ended = ended.clone();
            self.0.spawn(async move {
                while let Some(hops) = mailbox.recv().await {
                    let _ = match hops {
                        0 => ended.send(()).ok(),
                        _ => next.send(hops - 1).ok(),
                    };
                }
            });
        }
        self.timed(async move {
            senders[0].send(hops).expect("it runs");
            all(&mut end, 1).await;
        })
    }

    fn throughput(&self, actors: usize, messages: u64) -> Duration {
        let (senders, receivers) = mailboxes::<()>(actors);
        let (ended, mut end) = unbounded_channel();
        for mut mailbox in receivers {
            let ended = ended.clone();
            self.0.spawn(async move {
                all(&mut mailbox, messages as usize).await;
                let _ = ended.send(());
            });
        }
        self.timed(async move {
            for _ in 0..messages {
                for sender in &senders {
                    sender.send(()).expect("it runs");
                }
            }
            all(&mut end, actors).await;
        })
    }

    fn creation(&self, actors: usize) -> Duration {
        self.timed(async move {
            let (started, mut start) = unbounded_channel();
            for _ in 0..actors {
                let started = started.clone();
                tokio::spawn(async move { started.send(()) });
            }
            all(&mut start, actors).await;
        })
    }

    fn big(&self, actors: usize) -> Duration {
        let (senders, receivers) = mailboxes::<()>(actors);
        let (starts, starting) = mailboxes::<()>(actors);
        let (ended, mut end) = unbounded_channel();
        for (index, (mut mailbox, mut start)) in receivers.into_iter().zip(starting).enumerate() {
            let others = others(&senders, index);
            let ended = ended.clone();
            self.0.spawn(async move {
                all(&mut start, 1).await;
                for other in &others {
                    other.send(()).expect("it runs");
                }
                all(&mut mailbox, others.len()).await;
                let _ = ended.send(());
            });
        }
        self.timed(async move {
            for start in &starts {
                start.send(()).expect("it runs");
            }
            all(&mut end, actors).await;
        })
    }

    fn idle(&self, actors: usize) -> u64 {
        taken(|| {
            let (senders, receivers) = mailboxes::<()>(actors);
            let (started, mut start) = unbounded_channel();
            for mut mailbox in receivers {
                let started = started.clone();
                self.0.spawn(async move {
                    let _ = started.send(());
                    mailbox.recv().await
                });
            }
            self.0.block_on(all(&mut start, actors));
            senders
        })
    }

    fn latency(&self, clients: usize) -> Vec<Duration> {
        let (asking, mut asked) = unbounded_channel::<oneshot::Sender<u64>>();
        self.0.spawn(async move {
            let mut count = 0;
            while let Some(client) = asked.recv().await {
                count += 1;
                let _ = client.send(count);
            }
        });
        for _ in 0..workers() {
            let (again, mut work) = unbounded_channel();
            again.send(()).expect("it has its own");
            self.0.spawn(async move {
                while work.recv().await.is_some() {
                    compute();
                    let _ = again.send(());
                    // Tokio recommends this for tasks that compute for long.
                    yield_now().await;
                }
            });
        }
        self.0.block_on(calls(clients, move || {
            let (client, answer) = oneshot::channel();
            asking.send(client).expect("it runs");
            async move { answer.await.expect("it answers") }
        }))
    }

    fn timers(&self, timers: usize) -> Duration {
        worked(|| {
            let tasks: Vec<_> = (0..timers)
                .map(|index| self.0.spawn(async move { sleep(delay(index)).await }))
                .collect();
            self.0.block_on(async {
                for task in tasks {
                    task.await.expect("it sleeps");
                }
            });
        })
    }
}
