//! kameo: a supervisor restarts its children by itself. The mailboxes of the children outlive a
//! restart, so references to them stay valid.

mod full_mailbox;
mod half_done;
mod hung;
mod intensity;
mod one_for_all;
mod restart;
mod significant;

use kameo::actor::ReplyRecipient;
use kameo::prelude::*;
use kameo::reply::ReplyError;
use tokio::sync::watch;
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

/// A place for the reference to the current actor, which its supervisor updates after each start.
/// (A registered name would be lost in a restart.)
struct Current<A: Actor>(watch::Sender<Option<ActorRef<A>>>);

impl<A: Actor> Current<A> {
    fn new() -> Self {
        Current(watch::Sender::new(None))
    }

    fn set(&self, actor: ActorRef<A>) {
        self.0.send_replace(Some(actor));
    }

    fn get(&self) -> Option<ActorRef<A>> {
        self.0.borrow().clone()
    }
}

impl<A: Actor> Clone for Current<A> {
    fn clone(&self) -> Self {
        Current(self.0.clone())
    }
}

impl<A, E> Service for Current<A>
where
    A: Message<Ask, Reply = Result<u64, E>>,
    E: ReplyError,
{
    async fn ask(&self, call: Call) -> Seen {
        match self.get() {
            Some(actor) => Service::ask(&actor.reply_recipient::<Ask>(), call).await,
            None => Seen::Told,
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
