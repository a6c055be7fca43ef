//! `one_for_all`: a strategy of the supervisor.
//!
//! The children are started again in no certain order, and only when all have stopped. So the door
//! asks the keeper when it is first called rather than at its start, and with a time limit: while
//! it waits for the keeper, which has stopped, it does not stop itself.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use kameo::error::{Infallible, SendError};
use kameo::prelude::*;
use kameo::supervision::{RestartPolicy, SupervisionStrategy};

use super::{Ask, Load, Tally, answer, observe};

/// How long the keeper may take to answer.
const LIMIT: Duration = Duration::from_millis(20);

struct Supervisor;

impl Actor for Supervisor {
    type Args = ();
    type Error = Infallible;

    fn supervision_strategy() -> SupervisionStrategy {
        SupervisionStrategy::OneForAll
    }

    async fn on_start((): (), _: ActorRef<Self>) -> Result<Self, Infallible> {
        Ok(Supervisor)
    }
}

struct GetSeal;

struct Break;

/// Has another seal each time it starts.
struct Keeper {
    seal: u64,
}

impl Actor for Keeper {
    type Args = ();
    type Error = Infallible;

    async fn on_start((): (), _: ActorRef<Self>) -> Result<Self, Infallible> {
        static STARTS: AtomicU64 = AtomicU64::new(0);
        let seal = STARTS.fetch_add(1, Ordering::Relaxed);
        Ok(Keeper { seal })
    }
}

impl Message<GetSeal> for Keeper {
    type Reply = u64;

    async fn handle(&mut self, _: GetSeal, _: &mut Context<Self, u64>) -> u64 {
        self.seal
    }
}

impl Message<Break> for Keeper {
    type Reply = ();

    async fn handle(&mut self, _: Break, _: &mut Context<Self, ()>) {
        panic!("a fault")
    }
}

/// Answers rightly while it has the keeper's seal.
#[derive(Clone, Actor)]
struct Door {
    seal: Option<u64>,
    keeper: ActorRef<Keeper>,
}

impl Message<Ask> for Door {
    type Reply = Result<u64, SendError>;

    async fn handle(
        &mut self,
        Ask(call): Ask,
        _: &mut Context<Self, Self::Reply>,
    ) -> Result<u64, SendError> {
        let asked = self.keeper.ask(GetSeal).reply_timeout(LIMIT).await;
        let seal = asked.map_err(|error| error.map_msg(drop))?;
        let fits = *self.seal.get_or_insert(seal) == seal;
        if call.fault {
            let told = self.keeper.tell(Break).await;
            told.map_err(|error| error.map_msg(drop))?;
        }
        Ok(if fits { answer(call.number) } else { 0 })
    }
}

pub(super) async fn run(load: Load) -> Tally {
    let (restarts, period) = (10 * load.faults as u32, Duration::from_secs(1));
    let supervisor = Supervisor::spawn(());
    let keeper = Keeper::supervise(&supervisor, ())
        .restart_policy(RestartPolicy::Permanent)
        .restart_limit(restarts, period)
        .spawn()
        .await;
    let door = Door::supervise(&supervisor, Door { seal: None, keeper })
        .restart_policy(RestartPolicy::Permanent)
        .restart_limit(restarts, period)
        .spawn()
        .await;
    observe(door.reply_recipient::<Ask>(), load).await
}
