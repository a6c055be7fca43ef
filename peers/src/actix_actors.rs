//! Actix: each actor is placed on an arbiter before it starts. There is an arbiter, a thread, for
//! each core.
//!
//! All arbiters have an equal number of actors. In a ring, neighbours share an arbiter if possible.
//! In the other programs, actors are assigned to the arbiters in turn. `do_send` puts a message
//! into a mailbox even if it is full.

use std::time::Duration;

use actix::prelude::*;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::sleep_until;

use crate::load::{compute, due, workers};
use crate::program::{Programs, delay, taken, timed, worked};
use crate::threads::others;
use crate::tokio_tasks::all;

pub(crate) struct Actix {
    system: SystemRunner,
    arbiters: Vec<Arbiter>,
}

impl Actix {
    pub(crate) fn new() -> Self {
        let system = System::new();
        let cores = std::thread::available_parallelism();
        let cores = cores.map_or(1, std::num::NonZero::get);
        let arbiters = system.block_on(async { (0..cores).map(|_| Arbiter::new()).collect() });
        Actix { system, arbiters }
    }

    /// Returns the arbiter of an actor if actors are assigned to the arbiters in turn.
    fn in_turn(&self, index: usize) -> ArbiterHandle {
        self.arbiters[index % self.arbiters.len()].handle()
    }

    /// Returns the arbiter of a member of a ring.
    fn beside_neighbours(&self, index: usize, members: usize) -> ArbiterHandle {
        // At least two members are on one arbiter, because a message to another thread takes longer
        // than the work of a member.
        let share = members.div_ceil(self.arbiters.len()).max(2);
        self.arbiters[index / share].handle()
    }
}

#[derive(Message)]
#[rtype(result = "()")]
struct Hops(u64);

#[derive(Message)]
#[rtype(result = "()")]
struct Next(Addr<Member>);

#[derive(Message)]
#[rtype(result = "()")]
struct Note;

#[derive(Message)]
#[rtype(result = "()")]
struct Begin(Vec<Addr<Friend>>);

/// A member of a ring.
struct Member {
    next: Option<Addr<Member>>,
    ended: UnboundedSender<()>,
}

impl Actor for Member {
    type Context = Context<Self>;
}

impl Handler<Next> for Member {
    type Result = ();

    fn handle(&mut self, Next(next): Next, _: &mut Context<Self>) {
        self.next = Some(next);
    }
}

impl Handler<Hops> for Member {
    type Result = ();

    fn handle(&mut self, Hops(hops): Hops, _: &mut Context<Self>) {
        match (hops, &self.next) {
            (1.., Some(next)) => next.do_send(Hops(hops - 1)),
            _ => self.ended.send(()).expect("the program waits"),
        }
    }
}

/// Counts the messages that it receives.
struct Counter {
    missing: u64,
    ended: UnboundedSender<()>,
}

impl Actor for Counter {
    type Context = Context<Self>;

    fn started(&mut self, _: &mut Context<Self>) {
        if self.missing == 0 {
            self.ended.send(()).expect("the program waits");
        }
    }
}

impl Handler<Note> for Counter {
    type Result = ();

    fn handle(&mut self, _: Note, context: &mut Context<Self>) {
        self.missing -= 1;
        if self.missing == 0 {
            self.ended.send(()).expect("the program waits");
            context.stop();
        }
    }
}

/// Sends a message to all other friends, and waits for theirs.
struct Friend {
    missing: usize,
    ended: UnboundedSender<()>,
}

impl Actor for Friend {
    type Context = Context<Self>;
}

impl Handler<Begin> for Friend {
    type Result = ();

    fn handle(&mut self, Begin(others): Begin, _: &mut Context<Self>) {
        for other in others {
            other.do_send(Note);
        }
    }
}

impl Handler<Note> for Friend {
    type Result = ();

    fn handle(&mut self, _: Note, _: &mut Context<Self>) {
        self.missing -= 1;
        if self.missing == 0 {
            self.ended.send(()).expect("the program waits");
        }
    }
}

#[derive(Message)]
#[rtype(result = "u64")]
struct Ask;

/// Counts the calls, and replies with their number.
struct Clerk(u64);

impl Actor for Clerk {
    type Context = Context<Self>;
}

impl Handler<Ask> for Clerk {
    type Result = u64;

    fn handle(&mut self, _: Ask, _: &mut Context<Self>) -> u64 {
        self.0 += 1;
        self.0
    }
}

#[derive(Message)]
#[rtype(result = "()")]
struct Work;

/// Computes on threads of its own, as Actix recommends: on an arbiter, it would never let other
/// actors run.
struct Worker;

impl Actor for Worker {
    type Context = SyncContext<Self>;
}

impl Handler<Work> for Worker {
    type Result = ();

    fn handle(&mut self, _: Work, context: &mut SyncContext<Self>) {
        compute();
        context.address().do_send(Work);
    }
}

/// Waits for a timer.
struct Sleeper {
    index: usize,
    ended: UnboundedSender<()>,
}

impl Actor for Sleeper {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Context<Self>) {
        context.run_later(delay(self.index), |sleeper, context| {
            sleeper.ended.send(()).expect("the program waits");
            context.stop();
        });
    }
}

impl Programs for Actix {
    fn ring(&self, members: usize, hops: u64) -> Duration {
        let (ended, mut end) = unbounded_channel();
        self.system.block_on(async {
            let member = |index| {
                let ended = ended.clone();
                let arbiter = self.beside_neighbours(index, members);
                Member::start_in_arbiter(&arbiter, |_| Member { next: None, ended })
            };
            let ring: Vec<_> = (0..members).map(member).collect();
            for (index, member) in ring.iter().enumerate() {
                let next = ring[(index + 1) % members].clone();
                member.send(Next(next)).await.expect("it runs");
            }
            let first = &ring[0];
            timed_until(async {
                first.do_send(Hops(hops));
                all(&mut end, 1).await;
            })
            .await
        })
    }

    fn throughput(&self, actors: usize, messages: u64) -> Duration {
        let (ended, mut end) = unbounded_channel();
        self.system.block_on(async {
            let counter = |index| {
                let ended = ended.clone();
                let missing = messages;
                Counter::start_in_arbiter(&self.in_turn(index), move |_| Counter { missing, ended })
            };
            let counters: Vec<_> = (0..actors).map(counter).collect();
            timed_until(async {
                for _ in 0..messages {
                    for counter in &counters {
                        counter.do_send(Note);
                    }
                }
                all(&mut end, actors).await;
            })
            .await
        })
    }

    fn creation(&self, actors: usize) -> Duration {
        let (ended, mut end) = unbounded_channel();
        timed(|| {
            self.system.block_on(async {
                for index in 0..actors {
                    let ended = ended.clone();
                    let counter = |_: &mut Context<Counter>| Counter { missing: 0, ended };
                    Counter::start_in_arbiter(&self.in_turn(index), counter);
                }
                all(&mut end, actors).await;
            });
        })
    }

    fn big(&self, actors: usize) -> Duration {
        let (ended, mut end) = unbounded_channel();
        self.system.block_on(async {
            let friend = |index| {
                let ended = ended.clone();
                let missing = actors - 1;
                Friend::start_in_arbiter(&self.in_turn(index), move |_| Friend { missing, ended })
            };
            let friends: Vec<_> = (0..actors).map(friend).collect();
            let begin = |index| Begin(others(&friends, index));
            let begins: Vec<_> = (0..actors).map(begin).collect();
            timed_until(async {
                for (friend, begin) in friends.iter().zip(begins) {
                    friend.do_send(begin);
                }
                all(&mut end, actors).await;
            })
            .await
        })
    }

    fn idle(&self, actors: usize) -> u64 {
        let (ended, mut end) = unbounded_channel();
        taken(|| {
            self.system.block_on(async {
                let sleeping = |index| {
                    let ended = ended.clone();
                    let counter = |_: &mut Context<Counter>| Counter { missing: 0, ended };
                    Counter::start_in_arbiter(&self.in_turn(index), counter)
                };
                let idle: Vec<_> = (0..actors).map(sleeping).collect();
                all(&mut end, actors).await;
                idle
            })
        })
    }

    /// The clients run on the thread of the system.
    fn latency(&self, clients: usize) -> Vec<Duration> {
        self.system.block_on(async {
            let clerk = Clerk::start_in_arbiter(&self.in_turn(0), |_| Clerk(0));
            let computing = SyncArbiter::start(workers(), || Worker);
            for _ in 0..workers() {
                computing.do_send(Work);
            }
            let client = |index| {
                let clerk = clerk.clone();
                actix::spawn(async move {
                    let mut times = Vec::new();
                    for due in due(index, clients) {
                        sleep_until(due.into()).await;
                        clerk.send(Ask).await.expect("it answers");
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
        })
    }

    fn timers(&self, timers: usize) -> Duration {
        let (ended, mut end) = unbounded_channel();
        worked(|| {
            self.system.block_on(async {
                for index in 0..timers {
                    let ended = ended.clone();
                    let sleeper = move |_: &mut Context<Sleeper>| Sleeper { index, ended };
                    Sleeper::start_in_arbiter(&self.in_turn(index), sleeper);
                }
                all(&mut end, timers).await;
            });
        })
    }
}

/// Returns how long the program has taken.
async fn timed_until(program: impl Future<Output = ()>) -> Duration {
    let begun = std::time::Instant::now();
    program.await;
    begun.elapsed()
}
