//! `one_for_all`: when a child has failed, the supervisor stops the others and starts all of them.

use std::sync::atomic::{AtomicU64, Ordering};

use ractor::{Actor, ActorId, ActorProcessingErr, ActorRef, RpcReplyPort, SupervisionEvent, call};

use super::{Ask, SERVICE, answer};

type Done<T = ()> = Result<T, ActorProcessingErr>;

struct Supervisor;

impl Supervisor {
    async fn start_children(&self, myself: &ActorRef<()>) -> Done<[ActorId; 2]> {
        let keeper = Actor::spawn_linked(None, Keeper, (), myself.get_cell());
        let (keeper, _) = keeper.await?;
        let (id, name) = (keeper.get_id(), Some(SERVICE.to_owned()));
        let (door, _) = Actor::spawn_linked(name, Door, keeper, myself.get_cell()).await?;
        Ok([id, door.get_id()])
    }
}

impl Actor for Supervisor {
    type Msg = ();
    type State = [ActorId; 2];
    type Arguments = ();

    async fn pre_start(&self, myself: ActorRef<()>, (): ()) -> Done<[ActorId; 2]> {
        self.start_children(&myself).await
    }

    async fn handle_supervisor_evt(
        &self,
        myself: ActorRef<()>,
        event: SupervisionEvent,
        children: &mut [ActorId; 2],
    ) -> Done {
        // If the door failed together with its keeper, it has been replaced already.
        if let SupervisionEvent::ActorFailed(failed, _) = event
            && children.contains(&failed.get_id())
        {
            myself.stop_children_and_wait(None, None).await;
            *children = self.start_children(&myself).await?;
        }
        Ok(())
    }
}

enum ToKeeper {
    GetSeal(RpcReplyPort<u64>),
    Break,
}

/// Has a new seal after each start.
struct Keeper;

impl Actor for Keeper {
    type Msg = ToKeeper;
    type State = u64;
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<ToKeeper>, (): ()) -> Done<u64> {
        static STARTS: AtomicU64 = AtomicU64::new(0);
        Ok(STARTS.fetch_add(1, Ordering::Relaxed))
    }

    async fn handle(&self, _: ActorRef<ToKeeper>, message: ToKeeper, seal: &mut u64) -> Done {
        match message {
            ToKeeper::GetSeal(reply) => Ok(reply.send(*seal)?),
            ToKeeper::Break => panic!("a fault"),
        }
    }
}

/// Answers correctly as long as its seal is that of the keeper.
struct Door;

impl Actor for Door {
    type Msg = Ask;
    type State = (u64, ActorRef<ToKeeper>);
    type Arguments = ActorRef<ToKeeper>;

    async fn pre_start(
        &self,
        _: ActorRef<Ask>,
        keeper: ActorRef<ToKeeper>,
    ) -> Done<(u64, ActorRef<ToKeeper>)> {
        Ok((call!(keeper, ToKeeper::GetSeal)?, keeper))
    }

    async fn handle(
        &self,
        _: ActorRef<Ask>,
        Ask(call, reply): Ask,
        (seal, keeper): &mut (u64, ActorRef<ToKeeper>),
    ) -> Done {
        let fits = call!(keeper, ToKeeper::GetSeal)? == *seal;
        if call.fault {
            keeper.cast(ToKeeper::Break)?;
        }
        Ok(reply.send(if fits { answer(call.number) } else { 0 })?)
    }
}

pub(super) async fn start() {
    let started = Actor::spawn(None, Supervisor, ()).await;
    started.expect("it starts");
}
