//! Restart intensity reached: when a child has no restarts left, its supervisor ends because of the
//! link to the child, and the supervisor above restarts it.

use std::time::Duration;

use kameo::error::{Infallible, SendError};
use kameo::prelude::*;
use kameo::supervision::RestartPolicy;

use super::{Ask, Current, Load, Tally, answer, observe};

#[derive(Actor)]
struct Top;

/// Starts the store and the reader.
struct Archive;

impl Actor for Archive {
    type Args = Current<Reader>;
    type Error = Infallible;

    async fn on_start(
        current: Current<Reader>,
        myself: ActorRef<Self>,
    ) -> Result<Self, Infallible> {
        let store = Store::supervise(&myself, Store { spoilt: false });
        let store = store.spawn().await;
        let reader = Reader::supervise(&myself, Reader { store })
            .restart_policy(RestartPolicy::Permanent)
            .restart_limit(2, Duration::from_secs(5))
            .spawn()
            .await;
        current.set(reader);
        Ok(Archive)
    }
}

/// A request: whether the store is spoilt. With `true`, it is spoilt first.
struct Read(bool);

/// A store that stays spoilt once a message has spoilt it.
#[derive(Clone, Actor)]
struct Store {
    spoilt: bool,
}

impl Message<Read> for Store {
    type Reply = bool;

    async fn handle(&mut self, Read(spoil): Read, _: &mut Context<Self, bool>) -> bool {
        self.spoilt |= spoil;
        self.spoilt
    }
}

/// Answers calls unless the store is spoilt.
#[derive(Clone, Actor)]
struct Reader {
    store: ActorRef<Store>,
}

impl Message<Ask> for Reader {
    type Reply = Result<u64, SendError>;

    async fn handle(
        &mut self,
        Ask(call): Ask,
        _: &mut Context<Self, Self::Reply>,
    ) -> Result<u64, SendError> {
        let spoilt = self.store.ask(Read(call.fault)).await;
        let spoilt = spoilt.map_err(|error| error.map_msg(drop))?;
        assert!(!spoilt, "the store is spoilt");
        Ok(answer(call.number))
    }
}

pub(super) async fn run(load: Load) -> Tally {
    let (top, current) = (Top::spawn(Top), Current::new());
    let archive = Archive::supervise(&top, current.clone())
        .restart_policy(RestartPolicy::Permanent)
        .restart_limit(10 * load.faults as u32, Duration::from_secs(1))
        .spawn()
        .await;
    archive.wait_for_startup().await;
    observe(current, load).await
}
