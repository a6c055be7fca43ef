//! The application's root supervisor.

use otp_bridge::atoms::{any_significant, ok, temporary};
use otp_bridge::supervisor::prelude::*;

use crate::ask::SERVICE;
use crate::bench::Bench;
use crate::full_mailbox::FullMailbox;
use crate::half_done::HalfDone;
use crate::hung::Hung;
use crate::intensity::Intensity;
use crate::lost_node::{Guest, LostNode};
use crate::one_for_all::OneForAll;
use crate::plan::{Plan, Scenario};
use crate::restart::Restart;
use crate::significant::Significant;

/// Starts the scenario's supervisor and then the bench. The application ends when the bench does.
/// On the other node of `lost_node` (command line `serve`), it starts the process that answers
/// there.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> Result<impl InitReturn> {
        if arguments == ["serve"] {
            let guest = ChildSpec::of::<Guest>(()).registered(SERVICE);
            return Ok((ok, (SupFlags::one_for_one(), vec![guest])));
        }
        let plan = Plan::parse(&arguments)?;
        // Scenarios must not exceed their restart limit: a fault may restart several processes, or
        // one of them several times.
        let restarts = 10 * plan.faults;
        let scenario = match plan.scenario {
            Scenario::Restart => ChildSpec::of::<Restart>(restarts),
            Scenario::OneForAll => ChildSpec::of::<OneForAll>(restarts),
            Scenario::Intensity => ChildSpec::of::<Intensity>(restarts),
            Scenario::Significant => ChildSpec::of::<Significant>(restarts),
            Scenario::HalfDone => ChildSpec::of::<HalfDone>(restarts),
            Scenario::Hung => ChildSpec::of::<Hung>(restarts),
            Scenario::FullMailbox => ChildSpec::of::<FullMailbox>(restarts),
            Scenario::LostNode => ChildSpec::of::<LostNode>(restarts),
        };
        let bench = ChildSpec::of::<Bench>(plan)
            .restart(temporary)
            .significant(true);
        let flags = SupFlags::one_for_one().auto_shutdown(any_significant);
        Ok((ok, (flags, vec![scenario, bench])))
    }
}
