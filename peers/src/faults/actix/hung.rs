//! A hung actor: it is not possible to inspect or to end a waiting actor from outside. So the wait
//! itself has a time limit. After that time, the actor stops, and its `Supervisor` restarts it.

use std::future::pending;
use std::time::Duration;

use actix::prelude::*;

use super::{Ask, answer};

const LIMIT: Duration = Duration::from_millis(100);

/// Answers, unless it waits for ever.
struct Waiter;

impl Actor for Waiter {
    type Context = Context<Self>;
}

impl Supervised for Waiter {}

impl Handler<Ask> for Waiter {
    /// One call at a time.
    type Result = AtomicResponse<Self, Option<u64>>;

    fn handle(&mut self, Ask(call): Ask, _: &mut Context<Self>) -> Self::Result {
        let answer = async move {
            if call.fault {
                pending::<()>().await;
            }
            answer(call.number)
        };
        let limited = answer.into_actor(self).timeout(LIMIT);
        AtomicResponse::new(Box::pin(limited.map(|answer, _, context| {
            if answer.is_err() {
                context.stop();
            }
            answer.ok()
        })))
    }
}

pub(super) fn start(arbiter: &ArbiterHandle) -> Recipient<Ask> {
    Supervisor::start_in_arbiter(arbiter, |_| Waiter).recipient()
}
