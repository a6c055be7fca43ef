//! `one_for_all`: a keeper that has caught a panic stops, and reports that it has stopped. Then the
//! pair stops, and its `Supervisor` restarts it with a new keeper and a new door. The old door ends
//! when all of its addresses have been dropped.

use std::panic::catch_unwind;

use actix::prelude::*;

use super::{Ask, answer};

/// Owns the keeper and the door, and passes requests on to the door.
#[derive(Default)]
struct Pair {
    door: Option<Addr<Door>>,
    starts: u64,
}

#[derive(Message)]
#[rtype(result = "()")]
struct KeeperStopped;

impl Actor for Pair {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Context<Self>) {
        self.starts += 1;
        let keeper = Keeper {
            seal: self.starts,
            pair: context.address(),
        };
        let keeper = keeper.start();
        let seal = self.starts;
        let door = Door { keeper, seal };
        self.door = Some(door.start());
    }
}

impl Supervised for Pair {}

impl Handler<KeeperStopped> for Pair {
    type Result = ();

    fn handle(&mut self, _: KeeperStopped, context: &mut Context<Self>) {
        self.door = None;
        context.stop();
    }
}

impl Handler<Ask> for Pair {
    type Result = ResponseFuture<Option<u64>>;

    fn handle(&mut self, ask: Ask, _: &mut Context<Self>) -> Self::Result {
        let door = self.door.clone();
        Box::pin(async move { door?.send(ask).await.ok()? })
    }
}

#[derive(Message)]
#[rtype(result = "u64")]
struct GetSeal;

#[derive(Message)]
#[rtype(result = "()")]
struct Break;

/// Has a new seal after each start.
struct Keeper {
    seal: u64,
    pair: Addr<Pair>,
}

impl Actor for Keeper {
    type Context = Context<Self>;

    fn stopped(&mut self, _: &mut Context<Self>) {
        self.pair.do_send(KeeperStopped);
    }
}

impl Handler<GetSeal> for Keeper {
    type Result = u64;

    fn handle(&mut self, _: GetSeal, _: &mut Context<Self>) -> u64 {
        self.seal
    }
}

impl Handler<Break> for Keeper {
    type Result = ();

    fn handle(&mut self, _: Break, context: &mut Context<Self>) {
        let done = catch_unwind(|| panic!("a fault"));
        if done.is_err() {
            context.stop();
        }
    }
}

/// Answers correctly as long as its seal is that of the keeper.
struct Door {
    keeper: Addr<Keeper>,
    seal: u64,
}

impl Actor for Door {
    type Context = Context<Self>;
}

impl Handler<Ask> for Door {
    type Result = ResponseFuture<Option<u64>>;

    fn handle(&mut self, Ask(call): Ask, _: &mut Context<Self>) -> Self::Result {
        let (seal, keeper) = (self.seal, self.keeper.clone());
        Box::pin(async move {
            let fits = keeper.send(GetSeal).await.ok()? == seal;
            if call.fault {
                keeper.do_send(Break);
            }
            Some(if fits { answer(call.number) } else { 0 })
        })
    }
}

pub(super) fn start(arbiter: &ArbiterHandle) -> Recipient<Ask> {
    Supervisor::start_in_arbiter(arbiter, |_| Pair::default()).recipient()
}
