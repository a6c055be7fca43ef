//! Restart intensity reached: the supervisor counts the failures, and fails itself when there are
//! too many.

use std::time::{Duration, Instant};

use ractor::{Actor, ActorProcessingErr, ActorRef, RpcReplyPort, SupervisionEvent, call};

use super::{Ask, SERVICE, answer};

const INTENSITY: usize = 2;

const PERIOD: Duration = Duration::from_secs(5);

type Done<T = ()> = Result<T, ActorProcessingErr>;

struct Top;

impl Actor for Top {
    type Msg = ();
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, myself: ActorRef<()>, (): ()) -> Done {
        Actor::spawn_linked(None, Archive, (), myself.get_cell()).await?;
        Ok(())
    }

    async fn handle_supervisor_evt(
        &self,
        myself: ActorRef<()>,
        event: SupervisionEvent,
        (): &mut (),
    ) -> Done {
        if let SupervisionEvent::ActorFailed(..) = event {
            Actor::spawn_linked(None, Archive, (), myself.get_cell()).await?;
        }
        Ok(())
    }
}

/// Starts the store and the reader.
struct Archive;

struct Children {
    store: ActorRef<Read>,
    failures: Vec<Instant>,
}

impl Archive {
    async fn start_reader(&self, store: &ActorRef<Read>, myself: &ActorRef<()>) -> Done {
        let name = Some(SERVICE.to_owned());
        Actor::spawn_linked(name, Reader, store.clone(), myself.get_cell()).await?;
        Ok(())
    }
}

impl Actor for Archive {
    type Msg = ();
    type State = Children;
    type Arguments = ();

    async fn pre_start(&self, myself: ActorRef<()>, (): ()) -> Done<Children> {
        let (store, _) = Actor::spawn_linked(None, Store, (), myself.get_cell()).await?;
        self.start_reader(&store, &myself).await?;
        let failures = Vec::new();
        Ok(Children { store, failures })
    }

    async fn handle_supervisor_evt(
        &self,
        myself: ActorRef<()>,
        event: SupervisionEvent,
        children: &mut Children,
    ) -> Done {
        if let SupervisionEvent::ActorFailed(_, reason) = event {
            let failures = &mut children.failures;
            failures.retain(|failure| failure.elapsed() < PERIOD);
            failures.push(Instant::now());
            if failures.len() > INTENSITY {
                myself.stop_children_and_wait(None, None).await;
                return Err(reason);
            }
            self.start_reader(&children.store, &myself).await?;
        }
        Ok(())
    }
}

/// A request: whether the store is spoilt. With `true`, it is spoilt first.
struct Read(bool, RpcReplyPort<bool>);

/// A store that stays spoilt once a message has spoilt it.
struct Store;

impl Actor for Store {
    type Msg = Read;
    type State = bool;
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Read>, (): ()) -> Done<bool> {
        Ok(false)
    }

    async fn handle(&self, _: ActorRef<Read>, Read(spoil, reply): Read, spoilt: &mut bool) -> Done {
        *spoilt |= spoil;
        Ok(reply.send(*spoilt)?)
    }
}

/// Answers calls unless the store is spoilt.
struct Reader;

impl Actor for Reader {
    type Msg = Ask;
    type State = ActorRef<Read>;
    type Arguments = ActorRef<Read>;

    async fn pre_start(&self, _: ActorRef<Ask>, store: ActorRef<Read>) -> Done<ActorRef<Read>> {
        Ok(store)
    }

    async fn handle(
        &self,
        _: ActorRef<Ask>,
        Ask(call, reply): Ask,
        store: &mut ActorRef<Read>,
    ) -> Done {
        let spoilt = call!(store, Read, call.fault)?;
        assert!(!spoilt, "the store is spoilt");
        Ok(reply.send(answer(call.number))?)
    }
}

pub(super) async fn start() {
    let started = Actor::spawn(None, Top, ()).await;
    started.expect("it starts");
}
