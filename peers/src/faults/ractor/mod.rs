//! ractor: a supervisor gets a message when a child has ended, and its own code decides how to
//! react. Clients find a service by its name.

mod full_mailbox;
mod half_done;
mod hung;
mod intensity;
mod one_for_all;
mod restart;
mod significant;

use std::marker::PhantomData;

use ractor::rpc::CallResult;
use ractor::{ActorRef, RpcReplyPort, registry};

use super::clients::{Call, Load, PATIENCE, Seen, Tally, answer};
use super::{Service, observe};

/// The name of the actor that clients call.
const SERVICE: &str = "service";

/// The request.
struct Ask(Call, RpcReplyPort<u64>);

/// The actor that has the name. Its messages are requests, and possibly others.
struct Named<M>(PhantomData<fn() -> M>);

impl<M> Named<M> {
    fn new() -> Self {
        Named(PhantomData)
    }
}

impl<M> Clone for Named<M> {
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl<M: ractor::Message + From<Ask>> Service for Named<M> {
    async fn ask(&self, call: Call) -> Seen {
        let Some(service) = registry::where_is(SERVICE) else {
            return Seen::Told;
        };
        let service = ActorRef::<M>::from(service);
        let request = |reply| M::from(Ask(call, reply));
        match service.call(request, Some(PATIENCE)).await {
            Ok(CallResult::Success(number)) => Seen::Answer(number),
            Ok(CallResult::Timeout) => Seen::Nothing,
            Ok(CallResult::SenderError) | Err(_) => Seen::Told,
        }
    }
}

pub(super) async fn run(scenario: &str, load: Load) -> Option<Tally> {
    match scenario {
        "full_mailbox" => return Some(full_mailbox::run(load).await),
        "hung" => hung::start().await,
        "intensity" => intensity::start().await,
        "significant" => significant::start().await,
        "half_done" => half_done::start().await,
        "one_for_all" => one_for_all::start().await,
        "restart" => restart::start().await,
        _ => return None,
    }
    Some(observe(Named::<Ask>::new(), load).await)
}
