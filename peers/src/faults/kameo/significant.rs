//! A significant child: the supervisor ends when the leader has ended, and the supervisor above
//! restarts it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use kameo::error::{ActorStopReason, Infallible, SendError};
use kameo::prelude::*;
use kameo::supervision::RestartPolicy;

use super::{Ask, Current, Load, Tally, answer, observe};

#[derive(Actor)]
struct Top;

/// Starts the leader and the member, and ends when the leader ends.
struct Team {
    leader: ActorId,
}

impl Actor for Team {
    type Args = Current<Member>;
    type Error = Infallible;

    async fn on_start(
        current: Current<Member>,
        myself: ActorRef<Self>,
    ) -> Result<Self, Infallible> {
        let leader = Leader::supervise(&myself, ())
            .restart_policy(RestartPolicy::Transient)
            .spawn()
            .await;
        let id = leader.id();
        let member = Member::supervise(&myself, leader).spawn().await;
        current.set(member);
        Ok(Team { leader: id })
    }

    async fn on_link_died(
        &mut self,
        _: WeakActorRef<Self>,
        id: ActorId,
        reason: ActorStopReason,
    ) -> Result<ControlFlow<ActorStopReason>, Infallible> {
        Ok(match id == self.leader {
            true => ControlFlow::Break(reason),
            false => ControlFlow::Continue(()),
        })
    }
}

struct GetNumber;

struct Retire;

/// Has a new number after each start.
struct Leader {
    number: u64,
}

impl Actor for Leader {
    type Args = ();
    type Error = Infallible;

    async fn on_start((): (), _: ActorRef<Self>) -> Result<Self, Infallible> {
        static STARTS: AtomicU64 = AtomicU64::new(0);
        let number = STARTS.fetch_add(1, Ordering::Relaxed);
        Ok(Leader { number })
    }
}

impl Message<GetNumber> for Leader {
    type Reply = u64;

    async fn handle(&mut self, _: GetNumber, _: &mut Context<Self, u64>) -> u64 {
        self.number
    }
}

impl Message<Retire> for Leader {
    type Reply = ();

    async fn handle(&mut self, _: Retire, context: &mut Context<Self, ()>) {
        context.stop();
    }
}

/// Answers correctly as long as the leader is the one with which it has started.
struct Member {
    number: u64,
    leader: ActorRef<Leader>,
}

impl Actor for Member {
    type Args = ActorRef<Leader>;
    type Error = SendError;

    async fn on_start(leader: ActorRef<Leader>, _: ActorRef<Self>) -> Result<Self, SendError> {
        let number = leader
            .ask(GetNumber)
            .await
            .map_err(|error| error.map_msg(drop))?;
        Ok(Member { number, leader })
    }
}

impl Message<Ask> for Member {
    type Reply = Result<u64, SendError>;

    async fn handle(
        &mut self,
        Ask(call): Ask,
        _: &mut Context<Self, Self::Reply>,
    ) -> Result<u64, SendError> {
        let number = self
            .leader
            .ask(GetNumber)
            .await
            .map_err(|error| error.map_msg(drop))?;
        if call.fault {
            let told = self.leader.tell(Retire).await;
            told.map_err(|error| error.map_msg(drop))?;
        }
        Ok(if number == self.number {
            answer(call.number)
        } else {
            0
        })
    }
}

pub(super) async fn run(load: Load) -> Tally {
    let (top, current) = (Top::spawn(Top), Current::new());
    let team = Team::supervise(&top, current.clone())
        .restart_policy(RestartPolicy::Permanent)
        .restart_limit(10 * load.faults as u32, Duration::from_secs(1))
        .spawn()
        .await;
    team.wait_for_startup().await;
    observe(current, load).await
}
