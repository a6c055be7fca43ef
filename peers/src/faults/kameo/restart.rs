//! Restart on abnormal exit: `supervise`, with a limit.

use std::time::Duration;

use kameo::prelude::*;
use kameo::supervision::RestartPolicy;

use super::{Ask, Load, Tally, answer, observe};

#[derive(Actor)]
struct Supervisor;

#[derive(Clone, Actor)]
struct Worker;

impl Message<Ask> for Worker {
    type Reply = u64;

    async fn handle(&mut self, Ask(call): Ask, _: &mut Context<Self, u64>) -> u64 {
        assert!(!call.fault, "a fault");
        answer(call.number)
    }
}

pub(super) async fn run(load: Load) -> Tally {
    let supervisor = Supervisor::spawn(Supervisor);
    let worker = Worker::supervise(&supervisor, Worker)
        .restart_policy(RestartPolicy::Transient)
        .restart_limit(load.faults as u32, Duration::from_secs(1))
        .spawn()
        .await;
    observe(worker.reply_recipient::<Ask>(), load).await
}
