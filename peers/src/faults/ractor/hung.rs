//! A hung actor: a watchdog pings the worker, and kills it if it does not answer. Then the
//! supervisor starts another one.

use std::future::pending;
use std::time::Duration;

use ractor::rpc::CallResult;
use ractor::{Actor, ActorProcessingErr, ActorRef, RpcReplyPort, SupervisionEvent, registry};

use super::{Ask, Call, SERVICE, answer};

/// The interval between two pings.
const PERIOD: Duration = Duration::from_millis(50);

/// The time that the worker has to answer a ping.
const LIMIT: Duration = Duration::from_millis(100);

const PING: Call = Call {
    number: 0,
    fault: false,
};

type Done<T = ()> = Result<T, ActorProcessingErr>;

struct Supervisor;

impl Supervisor {
    async fn start_waiter(&self, myself: &ActorRef<()>) -> Done {
        let name = Some(SERVICE.to_owned());
        Actor::spawn_linked(name, Waiter, (), myself.get_cell()).await?;
        Ok(())
    }
}

impl Actor for Supervisor {
    type Msg = ();
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, myself: ActorRef<()>, (): ()) -> Done {
        self.start_waiter(&myself).await?;
        Actor::spawn_linked(None, Watchdog, (), myself.get_cell()).await?;
        Ok(())
    }

    async fn handle_supervisor_evt(
        &self,
        myself: ActorRef<()>,
        event: SupervisionEvent,
        (): &mut (),
    ) -> Done {
        if let SupervisionEvent::ActorTerminated(..) | SupervisionEvent::ActorFailed(..) = event {
            self.start_waiter(&myself).await?;
        }
        Ok(())
    }
}

/// Answers, unless it waits for ever.
struct Waiter;

impl Actor for Waiter {
    type Msg = Ask;
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Ask>, (): ()) -> Done {
        Ok(())
    }

    async fn handle(&self, _: ActorRef<Ask>, Ask(call, reply): Ask, (): &mut ()) -> Done {
        if call.fault {
            pending::<()>().await;
        }
        Ok(reply.send(answer(call.number))?)
    }
}

/// Kills a waiter that does not answer.
struct Watchdog;

struct Look;

impl Actor for Watchdog {
    type Msg = Look;
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, myself: ActorRef<Look>, (): ()) -> Done {
        myself.send_interval(PERIOD, || Look);
        Ok(())
    }

    async fn handle(&self, _: ActorRef<Look>, _: Look, (): &mut ()) -> Done {
        let Some(waiter) = registry::where_is(SERVICE) else {
            return Ok(());
        };
        let ping = |reply: RpcReplyPort<u64>| Ask(PING, reply);
        let waiter = ActorRef::<Ask>::from(waiter);
        if let Ok(CallResult::Timeout) = waiter.call(ping, Some(LIMIT)).await {
            waiter.kill();
        }
        Ok(())
    }
}

pub(super) async fn start() {
    let started = Actor::spawn(None, Supervisor, ()).await;
    started.expect("it starts");
}
