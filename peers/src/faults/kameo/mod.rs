//! kameo: a supervisor restarts its children by itself. Their mailboxes, and so the references to them, outlive a restart.

mod full_mailbox;
mod half_done;
mod hung;
mod intensity;
mod one_for_all;
mod restart;
mod significant;

use std::marker::PhantomData;

use kameo::actor::ReplyRecipient;
use kameo::prelude::*;
use kameo::reply::ReplyError;
use tokio::time::timeout;

use super::clients::{Call, Load, PATIENCE, Seen, Tally, answer};
use super::{Service, observe};

/// The request.
struct Ask(Call);

/// An actor that answers.
type Answering<E> = ReplyRecipient<Ask, u64, E>;

impl<E: ReplyError> Service for Answering<E> {
    async fn ask(&self, call: Call) -> Seen {
        match timeout(PATIENCE, self.ask(Ask(call)).send()).await {
            Ok(Ok(number)) => Seen::Answer(number),
            Ok(Err(_)) => Seen::Told,
            Err(_) => Seen::Nothing,
        }
    }
}

/// The name of the actor that clients call, where it has one.
const SERVICE: &str = "service";

/// Whoever has the name.
struct Named<A: Actor>(PhantomData<fn() -> A>);

impl<A: Actor> Named<A> {
    fn new() -> Self {
        Named(PhantomData)
    }
}

impl<A: Actor> Clone for Named<A> {
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl<A, E> Service for Named<A>
where
    A: Message<Ask, Reply = Result<u64, E>>,
    E: ReplyError,
{
    async fn ask(&self, call: Call) -> Seen {
        match ActorRef::<A>::lookup(SERVICE) {
            Ok(Some(service)) => {
                let service = service.reply_recipient::<Ask>();
                Service::ask(&service, call).await
            }
            Ok(None) | Err(_) => Seen::Told,
        }
    }
}

pub(super) async fn run(scenario: &str, load: Load) -> Option<Tally> {
    Some(match scenario {
        "full_mailbox" => full_mailbox::run(load).await,
        "hung" => hung::run(load).await,
        "intensity" => intensity::run(load).await,
        "significant" => significant::run(load).await,
        "half_done" => half_done::run(load).await,
        "one_for_all" => one_for_all::run(load).await,
        "restart" => restart::run(load).await,
        _ => return None,
    })
}
