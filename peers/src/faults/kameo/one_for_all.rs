//! `one_for_all`: a strategy of the supervisor.
//!
//! The supervisor restarts the children in an unspecified order, and only when all of them have
//! stopped. So the door requests the seal in its first call instead of at its start. The request
//! has a time limit, because a door that waits for a stopped keeper does not stop itself.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use kameo::error::{Infallible, SendError};
use kameo::prelude::*;
use kameo::supervision::{RestartPolicy, SupervisionStrategy};

use super::{Ask, Load, Tally, answer, observe};

/// The time that the keeper has to answer.
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

/// Has a new seal after each start.
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

/// Answers correctly as long as its seal is that of the keeper.
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
