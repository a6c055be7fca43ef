//! The supervisor of the actors.

use otp_bridge::atom;
use otp_bridge::atoms::{brutal_kill, ok, temporary};
use otp_bridge::supervisor::prelude::*;

use crate::counter::Counter;
use crate::friend::Friend;
use crate::member::Member;
use crate::plan::Plan;

/// The supervisor of this application's actors.
pub static WORKERS: Server<Workers> = Server::local(atom!("workers"));

/// Has a child for each actor.
pub struct Workers;

#[supervisor]
impl Supervisor for Workers {
    type Args = Plan;

    fn init(plan: Plan) -> impl InitReturn {
        let actor = |index| {
            let actor = match plan {
                Plan::Ring(..) => ChildSpec::of::<Member>(()),
                Plan::Throughput(_, messages) => ChildSpec::of::<Counter>(messages),
                Plan::Creation(_) | Plan::Idle(_) | Plan::Timers(_) => ChildSpec::of::<Counter>(0),
                Plan::Big(actors) => ChildSpec::of::<Friend>(actors - 1),
            };
            actor.id(index).restart(temporary).shutdown(brutal_kill)
        };
        let actors = (0..plan.actors()).map(actor);
        (ok, (SupFlags::one_for_one(), actors.collect::<Vec<_>>()))
    }
}
