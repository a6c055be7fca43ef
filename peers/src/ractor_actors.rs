//! ractor: actors are tasks of Tokio with unbounded mailboxes. Each is linked to the actor that it
//! reports to.

use std::time::Duration;

use ractor::{Actor, ActorProcessingErr, ActorRef, RpcReplyPort};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::yield_now;

use crate::load::{compute, workers};
use crate::program::{Programs, delay, taken, timed, worked};
use crate::threads::others;
use crate::tokio_tasks::{all, calls};

pub(crate) struct Ractor(Runtime);

impl Ractor {
    pub(crate) fn new() -> Self {
        let runtime = Builder::new_multi_thread().enable_time().build();
        Ractor(runtime.expect("a runtime starts"))
    }

    /// Runs the program as a task, like the actors.
    fn run<T: Send + 'static>(&self, program: impl Future<Output = T> + Send + 'static) -> T {
        let task = self.0.spawn(program);
        self.0.block_on(task).expect("it does not panic")
    }
}

async fn start<A: Actor>(actor: A, arguments: A::Arguments) -> ActorRef<A::Msg> {
    let started = Actor::spawn(None, actor, arguments).await;
    let (actor, _task) = started.expect("it starts");
    actor
}

type Done<T = ()> = Result<T, ActorProcessingErr>;

enum ToMember {
    Next(ActorRef<ToMember>),
    Hops(u64),
}

/// A member of a ring.
struct Member;

struct Neighbours {
    next: Option<ActorRef<ToMember>>,
    ended: UnboundedSender<()>,
}

impl Actor for Member {
    type Msg = ToMember;
    type State = Neighbours;
    type Arguments = UnboundedSender<()>;

    async fn pre_start(
        &self,
        _: ActorRef<ToMember>,
        ended: UnboundedSender<()>,
    ) -> Done<Neighbours> {
        Ok(Neighbours { next: None, ended })
    }

    async fn handle(
        &self,
        _: ActorRef<ToMember>,
        message: ToMember,
        state: &mut Neighbours,
    ) -> Done {
        match (message, &state.next) {
            (ToMember::Next(next), _) => state.next = Some(next),
            (ToMember::Hops(hops @ 1..), Some(next)) => next.cast(ToMember::Hops(hops - 1))?,
            (ToMember::Hops(_), _) => state.ended.send(())?,
        }
        Ok(())
    }
}

enum ToFriend {
    Begin(Vec<ActorRef<ToFriend>>),
    Note,
}

/// Counts the messages that it receives, and sends one to all other friends on request.
struct Friend;

struct Count {
    missing: u64,
    ended: UnboundedSender<()>,
}

impl Actor for Friend {
    type Msg = ToFriend;
    type State = Count;
    type Arguments = Count;

    async fn pre_start(&self, _: ActorRef<ToFriend>, count: Count) -> Done<Count> {
        Ok(count)
    }

    async fn post_start(&self, _: ActorRef<ToFriend>, count: &mut Count) -> Done {
        if count.missing == 0 {
            count.ended.send(())?;
        }
        Ok(())
    }

    async fn handle(&self, _: ActorRef<ToFriend>, message: ToFriend, count: &mut Count) -> Done {
        match message {
            ToFriend::Begin(others) => {
                for other in others {
                    other.cast(ToFriend::Note)?;
                }
            }
            ToFriend::Note => {
                count.missing -= 1;
                if count.missing == 0 {
                    count.ended.send(())?;
                }
            }
        }
        Ok(())
    }
}

/// Waits for a timer.
struct Sleeper;

impl Actor for Sleeper {
    type Msg = ();
    type State = UnboundedSender<()>;
    type Arguments = (usize, UnboundedSender<()>);

    async fn pre_start(
        &self,
        myself: ActorRef<()>,
        (index, ended): Self::Arguments,
    ) -> Done<UnboundedSender<()>> {
        myself.send_after(delay(index), || ());
        Ok(ended)
    }

    async fn handle(&self, myself: ActorRef<()>, (): (), ended: &mut UnboundedSender<()>) -> Done {
        ended.send(())?;
        myself.stop(None);
        Ok(())
    }
}

/// Counts the calls, and replies with their number.
struct Clerk;

impl Actor for Clerk {
    type Msg = RpcReplyPort<u64>;
    type State = u64;
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Self::Msg>, (): ()) -> Done<u64> {
        Ok(0)
    }

    async fn handle(&self, _: ActorRef<Self::Msg>, client: Self::Msg, count: &mut u64) -> Done {
        *count += 1;
        Ok(client.send(*count)?)
    }
}

/// Computes for each message, and sends itself the next one.
struct Worker;

impl Actor for Worker {
    type Msg = ();
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, myself: ActorRef<()>, (): ()) -> Done {
        Ok(myself.cast(())?)
    }

    async fn handle(&self, myself: ActorRef<()>, (): (), (): &mut ()) -> Done {
        compute();
        myself.cast(())?;
        // Tokio recommends this for tasks that compute for long.
        yield_now().await;
        Ok(())
    }
}

async fn friends(
    number: usize,
    missing: u64,
    ended: &UnboundedSender<()>,
) -> Vec<ActorRef<ToFriend>> {
    let mut friends = Vec::with_capacity(number);
    for _ in 0..number {
        let ended = ended.clone();
        friends.push(start(Friend, Count { missing, ended }).await);
    }
    friends
}

impl Programs for Ractor {
    fn ring(&self, members: usize, hops: u64) -> Duration {
        let (ended, mut end) = unbounded_channel();
        let ring = self.run(async move {
            let mut ring = Vec::with_capacity(members);
            for _ in 0..members {
                ring.push(start(Member, ended.clone()).await);
            }
            for (index, member) in ring.iter().enumerate() {
                let next = ring[(index + 1) % members].clone();
                member.cast(ToMember::Next(next)).expect("it runs");
            }
            ring
        });
        timed(|| {
            self.run(async move {
                ring[0].cast(ToMember::Hops(hops)).expect("it runs");
                all(&mut end, 1).await;
            });
        })
    }

    fn throughput(&self, actors: usize, messages: u64) -> Duration {
        let (ended, mut end) = unbounded_channel();
        let counters = self.run(async move { friends(actors, messages, &ended).await });
        timed(|| {
            self.run(async move {
                for _ in 0..messages {
                    for counter in &counters {
                        counter.cast(ToFriend::Note).expect("it runs");
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
                let running = friends(actors, 0, &ended).await;
                all(&mut end, running.len()).await;
            });
        })
    }

    fn big(&self, actors: usize) -> Duration {
        let (ended, mut end) = unbounded_channel();
        let (friends, begins) = self.run(async move {
            let friends = friends(actors, actors as u64 - 1, &ended).await;
            let begin = |index| ToFriend::Begin(others(&friends, index));
            let begins: Vec<_> = (0..actors).map(begin).collect();
            (friends, begins)
        });
        timed(|| {
            self.run(async move {
                for (friend, begin) in friends.iter().zip(begins) {
                    friend.cast(begin).expect("it runs");
                }
                all(&mut end, actors).await;
            });
        })
    }

    fn idle(&self, actors: usize) -> u64 {
        taken(|| {
            self.run(async move {
                let (ended, mut end) = unbounded_channel();
                let idle = friends(actors, 0, &ended).await;
                all(&mut end, actors).await;
                idle
            })
        })
    }

    fn latency(&self, clients: usize) -> Vec<Duration> {
        self.run(async move {
            for _ in 0..workers() {
                start(Worker, ()).await;
            }
            let clerk = start(Clerk, ()).await;
            calls(clients, move || {
                let clerk = clerk.clone();
                async move { ractor::call!(clerk, |client| client).expect("it answers") }
            })
            .await
        })
    }

    fn timers(&self, timers: usize) -> Duration {
        worked(|| {
            self.run(async move {
                let (ended, mut end) = unbounded_channel();
                for index in 0..timers {
                    start(Sleeper, (index, ended.clone())).await;
                }
                all(&mut end, timers).await;
            });
        })
    }
}
