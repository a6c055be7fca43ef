//! kameo: actors are tasks of Tokio. Their mailboxes are unbounded here, because actors with full
//! mailboxes could wait for each other for ever.

use std::time::Duration;

use kameo::mailbox;
use kameo::prelude::*;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::yield_now;
use tokio::time::sleep;

use crate::load::{compute, workers};
use crate::program::{Programs, delay, taken, timed, worked};
use crate::threads::others;
use crate::tokio_tasks::{all, calls};

pub(crate) struct Kameo(Runtime);

impl Kameo {
    pub(crate) fn new() -> Self {
        let runtime = Builder::new_multi_thread().enable_time().build();
        Kameo(runtime.expect("a runtime starts"))
    }

    /// Runs the program as a task, like the actors.
    fn run<T: Send + 'static>(&self, program: impl Future<Output = T> + Send + 'static) -> T {
        let task = self.0.spawn(program);
        self.0.block_on(task).expect("it does not panic")
    }
}

fn start<A: Actor<Args = A>>(actor: A) -> ActorRef<A> {
    A::spawn_with_mailbox(actor, mailbox::unbounded())
}

/// Sends a message. This succeeds at once, because the mailbox is unbounded.
fn send<A: Message<M>, M: Send + 'static>(actor: &ActorRef<A>, message: M) {
    let sent = actor.tell(message).try_send();
    assert!(sent.is_ok(), "it runs");
}

struct Next(ActorRef<Member>);

struct Hops(u64);

/// A member of a ring.
#[derive(Actor)]
struct Member {
    next: Option<ActorRef<Member>>,
    ended: UnboundedSender<()>,
}

impl Message<Next> for Member {
    type Reply = ();

    async fn handle(&mut self, Next(next): Next, _: &mut Context<Self, ()>) {
        self.next = Some(next);
    }
}

impl Message<Hops> for Member {
    type Reply = ();

    async fn handle(&mut self, Hops(hops): Hops, _: &mut Context<Self, ()>) {
        match (hops, &self.next) {
            (1.., Some(next)) => send(next, Hops(hops - 1)),
            _ => self.ended.send(()).expect("the program waits"),
        }
    }
}

struct Note;

struct Begin(Vec<ActorRef<Friend>>);

/// Counts the messages that it receives, and sends one to all other friends on request.
struct Friend {
    missing: u64,
    ended: UnboundedSender<()>,
}

impl Actor for Friend {
    type Args = Self;
    type Error = kameo::error::Infallible;

    async fn on_start(friend: Self, _: ActorRef<Self>) -> Result<Self, Self::Error> {
        if friend.missing == 0 {
            friend.ended.send(()).expect("the program waits");
        }
        Ok(friend)
    }
}

impl Message<Begin> for Friend {
    type Reply = ();

    async fn handle(&mut self, Begin(others): Begin, _: &mut Context<Self, ()>) {
        for other in &others {
            send(other, Note);
        }
    }
}

impl Message<Note> for Friend {
    type Reply = ();

    async fn handle(&mut self, _: Note, _: &mut Context<Self, ()>) {
        self.missing -= 1;
        if self.missing == 0 {
            self.ended.send(()).expect("the program waits");
        }
    }
}

struct Ask;

/// Counts the calls, and replies with their number.
#[derive(Actor)]
struct Clerk(u64);

impl Message<Ask> for Clerk {
    type Reply = u64;

    async fn handle(&mut self, _: Ask, _: &mut Context<Self, u64>) -> u64 {
        self.0 += 1;
        self.0
    }
}

struct Work;

/// Computes for each message, and sends itself the next one.
#[derive(Actor)]
struct Worker;

impl Message<Work> for Worker {
    type Reply = ();

    async fn handle(&mut self, _: Work, context: &mut Context<Self, ()>) {
        compute();
        send(context.actor_ref(), Work);
        // Tokio recommends this for tasks that compute for long.
        yield_now().await;
    }
}

fn friends(number: usize, missing: u64, ended: &UnboundedSender<()>) -> Vec<ActorRef<Friend>> {
    let friend = |_| {
        let ended = ended.clone();
        start(Friend { missing, ended })
    };
    (0..number).map(friend).collect()
}

impl Programs for Kameo {
    fn ring(&self, members: usize, hops: u64) -> Duration {
        let (ended, mut end) = unbounded_channel();
        let ring = self.run(async move {
            let member = |_| {
                let ended = ended.clone();
                start(Member { next: None, ended })
            };
            let ring: Vec<_> = (0..members).map(member).collect();
            for (index, member) in ring.iter().enumerate() {
                send(member, Next(ring[(index + 1) % members].clone()));
            }
            ring
        });
        timed(|| {
            self.run(async move {
                send(&ring[0], Hops(hops));
                all(&mut end, 1).await;
            });
        })
    }

    fn throughput(&self, actors: usize, messages: u64) -> Duration {
        let (ended, mut end) = unbounded_channel();
        let counters = self.run(async move { friends(actors, messages, &ended) });
        timed(|| {
            self.run(async move {
                for _ in 0..messages {
                    for counter in &counters {
                        send(counter, Note);
                    }
                }
                all(&mut end, actors).await;
            });
        })
    }

    fn creation(&self, actors: usize) -> Duration {
        timed(|| {
            self.run(async move {
                let (ended, mut end) = unbounded_channel();
                let running = friends(actors, 0, &ended);
                all(&mut end, running.len()).await;
            });
        })
    }

    fn big(&self, actors: usize) -> Duration {
        let (ended, mut end) = unbounded_channel();
        let (friends, begins) = self.run(async move {
            let friends = friends(actors, actors as u64 - 1, &ended);
            let begin = |index| Begin(others(&friends, index));
            let begins: Vec<_> = (0..actors).map(begin).collect();
            (friends, begins)
        });
        timed(|| {
            self.run(async move {
                for (friend, begin) in friends.iter().zip(begins) {
                    send(friend, begin);
                }
                all(&mut end, actors).await;
            });
        })
    }

    fn idle(&self, actors: usize) -> u64 {
        taken(|| {
            self.run(async move {
                let (ended, mut end) = unbounded_channel();
                let idle = friends(actors, 0, &ended);
                all(&mut end, actors).await;
                idle
            })
        })
    }

    fn latency(&self, clients: usize) -> Vec<Duration> {
        self.run(async move {
            for _ in 0..workers() {
                send(&start(Worker), Work);
            }
            let clerk = start(Clerk(0));
            calls(clients, move || {
                let clerk = clerk.clone();
                async move { clerk.ask(Ask).await.expect("it answers") }
            })
            .await
        })
    }

    /// kameo has no timers of its own: its actors use Tokio's.
    fn timers(&self, timers: usize) -> Duration {
        worked(|| {
            self.run(async move {
                let sleeper = |index| tokio::spawn(async move { sleep(delay(index)).await });
                let tasks: Vec<_> = (0..timers).map(sleeper).collect();
                for task in tasks {
                    task.await.expect("it sleeps");
                }
            });
        })
    }
}
