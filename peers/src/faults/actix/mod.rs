//! Actix. Handlers catch the panics that may happen in them, because a panic that leaves a handler
//! ends the actor and its `Supervisor`.

mod full_mailbox;
mod half_done;
mod hung;
mod intensity;
mod one_for_all;
mod restart;
mod significant;

use actix::prelude::*;

use super::clients::{Call, Load, PATIENCE, Seen, Tally, answer};
use super::{Service, observe};

/// The request. `None` means that there will be no answer.
#[derive(Message)]
#[rtype(result = "Option<u64>")]
struct Ask(Call);

impl Service for Recipient<Ask> {
    async fn ask(&self, call: Call) -> Seen {
        match self.send(Ask(call)).timeout(PATIENCE).await {
            Ok(Some(number)) => Seen::Answer(number),
            Ok(None) | Err(MailboxError::Closed) => Seen::Told,
            Err(MailboxError::Timeout) => Seen::Nothing,
        }
    }
}

/// The clients run on the thread of the system, and the actors on a thread of their own.
pub(super) fn run(scenario: &str, load: Load) -> Option<Tally> {
    System::new().block_on(async {
        let arbiter = Arbiter::new();
        let service = match scenario {
            "full_mailbox" => full_mailbox::start(&arbiter.handle()),
            "hung" => hung::start(&arbiter.handle()),
            "intensity" => intensity::start(&arbiter.handle()),
            "significant" => significant::start(&arbiter.handle()),
            "half_done" => half_done::start(&arbiter.handle()),
            "one_for_all" => one_for_all::start(&arbiter.handle()),
            "restart" => restart::start(&arbiter.handle()),
            _ => return None,
        };
        Some(observe(service, load).await)
    })
}
