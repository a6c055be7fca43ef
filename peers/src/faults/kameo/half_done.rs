//! A panic while a call is half done: the new actor starts with a clone of the arguments of the
//! first one.

use std::time::Duration;

use kameo::prelude::*;
use kameo::supervision::RestartPolicy;

use super::{Ask, Load, Tally, answer, observe};

const TOTAL: u64 = 1_000;

#[derive(Actor)]
struct Supervisor;

#[derive(Clone, Actor)]
struct Teller {
    accounts: [u64; 2],
}

impl Message<Ask> for Teller {
    type Reply = u64;

    async fn handle(&mut self, Ask(call): Ask, _: &mut Context<Self, u64>) -> u64 {
        let from = usize::from(self.accounts[0] == 0);
        self.accounts[from] -= 1;
        assert!(!call.fault, "a fault");
        self.accounts[1 - from] += 1;
        let fits = self.accounts[0] + self.accounts[1] == TOTAL;
        if fits { answer(call.number) } else { 0 }
    }
}

pub(super) async fn run(load: Load) -> Tally {
    let supervisor = Supervisor::spawn(Supervisor);
    let accounts = [TOTAL, 0];
    let teller = Teller::supervise(&supervisor, Teller { accounts })
        .restart_policy(RestartPolicy::Transient)
        .restart_limit(load.faults as u32, Duration::from_secs(1))
        .spawn()
        .await;
    observe(teller.reply_recipient::<Ask>(), load).await
}
