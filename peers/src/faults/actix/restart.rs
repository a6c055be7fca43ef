//! Restart on abnormal exit: an actor that has caught a panic stops, and its `Supervisor` restarts
//! it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use actix::prelude::*;

use super::{Ask, answer};

struct Worker;

impl Actor for Worker {
    type Context = Context<Self>;
}

impl Supervised for Worker {}

impl Worker {
    fn answer(&mut self, Ask(call): &Ask) -> u64 {
        assert!(!call.fault, "a fault");
        answer(call.number)
    }
}

impl Handler<Ask> for Worker {
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
    Supervisor::start_in_arbiter(arbiter, |_| Worker).recipient()
}
