//! The supervisor of the actors.

use otp_bridge::atoms::{brutal_kill, ok, temporary};
use otp_bridge::supervisor::prelude::*;

use crate::clerk::{CLERK, Clerk};
use crate::client::{Client, Which};
use crate::counter::Counter;
use crate::friend::Friend;
use crate::load;
use crate::member::Member;
use crate::plan::Plan;
use crate::worker::Worker;

/// The registered supervisor of the actors.
pub static WORKERS: Server<Workers> = Server::registered();

/// Starts a child for each actor.
pub struct Workers;

#[supervisor]
impl Supervisor for Workers {
    type Args = Plan;

    fn init(plan: Plan) -> impl InitReturn {
        if let Plan::Latency(clients, _) = plan {
            return (ok, (SupFlags::one_for_one(), office(clients)));
        }
        let actor = |index| {
            let actor = match plan {
                Plan::Ring(..) => ChildSpec::of::<Member>(()),
                Plan::Throughput(_, messages) => ChildSpec::of::<Counter>(messages),
                Plan::Creation(_) | Plan::Idle(_) | Plan::Latency(..) | Plan::Timers(_) => {
                    ChildSpec::of::<Counter>(0)
                }
                Plan::Big(actors) => ChildSpec::of::<Friend>(actors - 1),
            };
            actor.id(index).restart(temporary).shutdown(brutal_kill)
        };
        let actors = (0..plan.actors()).map(actor);
        (ok, (SupFlags::one_for_one(), actors.collect::<Vec<_>>()))
    }
}

/// Returns a clerk, workers that compute, and clients that make calls.
fn office(clients: u32) -> Vec<ChildSpec> {
    let clerk = ChildSpec::of::<Clerk>(()).registered(&CLERK);
    let workers = (0..load::workers()).map(|_| ChildSpec::of::<Worker>(()));
    let clients = (0..clients).map(|index| ChildSpec::of::<Client>(Which(index, clients)));
    let others = (1..).zip(workers.chain(clients));
    let others = others.map(|(id, child)| child.id(id).shutdown(brutal_kill));
    std::iter::once(clerk).chain(others).collect()
}
