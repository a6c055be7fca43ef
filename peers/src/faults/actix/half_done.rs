//! A panic while a call is half done: `restarting` has to correct the books, because the value
//! outlives the caught panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use actix::prelude::*;

use super::{Ask, answer};

const TOTAL: u64 = 1_000;

struct Teller {
    accounts: [u64; 2],
}

impl Teller {
    fn new() -> Self {
        let accounts = [TOTAL, 0];
        Teller { accounts }
    }

    fn answer(&mut self, Ask(call): &Ask) -> u64 {
        let from = usize::from(self.accounts[0] == 0);
        self.accounts[from] -= 1;
        assert!(!call.fault, "a fault");
        self.accounts[1 - from] += 1;
        let fits = self.accounts[0] + self.accounts[1] == TOTAL;
        if fits { answer(call.number) } else { 0 }
    }
}

impl Actor for Teller {
    type Context = Context<Self>;
}

impl Supervised for Teller {
    fn restarting(&mut self, _: &mut Context<Self>) {
        *self = Teller::new();
    }
}

impl Handler<Ask> for Teller {
    type Result = Option<u64>;

    fn handle(&mut self, ask: Ask, context: &mut Context<Self>) -> Option<u64> {
        let answer = catch_unwind(AssertUnwindSafe(|| self.answer(&ask)));
        if answer.is_err() {
            context.stop();
        }
        answer.ok()
    }
}

pub(super) fn start(arbiter: &ArbiterHandle) -> Recipient<Ask> {
    Supervisor::start_in_arbiter(arbiter, |_| Teller::new()).recipient()
}
