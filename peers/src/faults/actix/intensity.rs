//! Restart intensity reached: a `Supervisor` restarts its actor without a limit. So another actor
//! counts the failures, and starts both actors again when there are too many.

use std::panic::catch_unwind;
use std::time::{Duration, Instant};

use actix::prelude::*;

use super::{Ask, answer};

const INTENSITY: usize = 2;

const PERIOD: Duration = Duration::from_secs(5);

#[derive(Message)]
#[rtype(result = "()")]
struct Restart;

#[derive(Message)]
#[rtype(result = "()")]
struct Child(Recipient<Restart>);

#[derive(Message)]
#[rtype(result = "()")]
struct Failed;

/// Counts the failures of its children.
#[derive(Default)]
struct Archive {
    children: Vec<Recipient<Restart>>,
    failures: Vec<Instant>,
}

impl Actor for Archive {
    type Context = Context<Self>;
}

impl Handler<Child> for Archive {
    type Result = ();

    fn handle(&mut self, Child(child): Child, _: &mut Context<Self>) {
        self.children.push(child);
    }
}

impl Handler<Failed> for Archive {
    type Result = ();

    fn handle(&mut self, _: Failed, _: &mut Context<Self>) {
        self.failures.retain(|failure| failure.elapsed() < PERIOD);
        self.failures.push(Instant::now());
        if self.failures.len() > INTENSITY {
            self.failures.clear();
            for child in &self.children {
                child.do_send(Restart);
            }
        }
    }
}

/// A request: whether the store is spoilt. With `true`, it is spoilt first.
#[derive(Message)]
#[rtype(result = "bool")]
struct Read(bool);

/// A store that stays spoilt once a message has spoilt it.
#[derive(Default)]
struct Store {
    spoilt: bool,
}

impl Actor for Store {
    type Context = Context<Self>;
}

impl Supervised for Store {
    fn restarting(&mut self, _: &mut Context<Self>) {
        *self = Store::default();
    }
}

impl Handler<Restart> for Store {
    type Result = ();

    fn handle(&mut self, _: Restart, context: &mut Context<Self>) {
        context.stop();
    }
}

impl Handler<Read> for Store {
    type Result = bool;

    fn handle(&mut self, Read(spoil): Read, _: &mut Context<Self>) -> bool {
        self.spoilt |= spoil;
        self.spoilt
    }
}

/// Answers calls unless the store is spoilt.
struct Reader {
    store: Addr<Store>,
    archive: Addr<Archive>,
}

impl Actor for Reader {
    type Context = Context<Self>;
}

impl Supervised for Reader {}

impl Handler<Restart> for Reader {
    type Result = ();

    fn handle(&mut self, _: Restart, context: &mut Context<Self>) {
        context.stop();
    }
}

impl Handler<Ask> for Reader {
    type Result = ResponseActFuture<Self, Option<u64>>;

    fn handle(&mut self, Ask(call): Ask, _: &mut Context<Self>) -> Self::Result {
        let read = self.store.send(Read(call.fault)).into_actor(self);
        Box::pin(read.map(move |spoilt, reader, context| {
            let spoilt = spoilt.ok()?;
            let checked = catch_unwind(|| assert!(!spoilt, "the store is spoilt"));
            if checked.is_err() {
                reader.archive.do_send(Failed);
                context.stop();
            }
            checked.ok().map(|()| answer(call.number))
        }))
    }
}

pub(super) fn start(arbiter: &ArbiterHandle) -> Recipient<Ask> {
    let archive = Archive::start_in_arbiter(arbiter, |_| Archive::default());
    let store = Supervisor::start_in_arbiter(arbiter, |_| Store::default());
    archive.do_send(Child(store.clone().recipient()));
    let of_reader = archive.clone();
    let reader = Supervisor::start_in_arbiter(arbiter, |_| Reader {
        store,
        archive: of_reader,
    });
    archive.do_send(Child(reader.clone().recipient()));
    reader.recipient()
}
