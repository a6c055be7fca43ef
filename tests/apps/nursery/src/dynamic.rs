//! Supervisors that start all their children from a template.
use std::time::Duration;

use otp_bridge::atoms::{ok, temporary, transient};
use otp_bridge::start::{DebugOption, SpawnOption};
use otp_bridge::supervisor::prelude::*;

use crate::hand::Hand;
use crate::switch::Switch;

/// Starts hands, and does not restart them.
pub struct Plain;

#[supervisor]
impl Supervisor for Plain {
    type Args = ();
    type Child = Hand;

    fn init(_: ()) -> impl InitReturn {
        let hand = ChildSpec::template::<Hand>().restart(temporary);
        (ok, (SupFlags::simple_one_for_one(), vec![hand]))
    }
}

/// Starts hands with start options.
pub struct Tuned;

#[supervisor]
impl Supervisor for Tuned {
    type Args = ();
    type Child = Hand;

    fn init(_: ()) -> impl InitReturn {
        let options = StartOptions::new()
            .timeout(Duration::from_secs(60))
            .debug([DebugOption::Statistics])
            .spawn_opt([
                SpawnOption::FullsweepAfter(7),
                SpawnOption::MinHeapSize(1000),
            ]);
        let hand = ChildSpec::template::<Hand>().options(options);
        (
            ok,
            (
                SupFlags::simple_one_for_one(),
                vec![hand.restart(transient)],
            ),
        )
    }
}

/// Starts state machines.
pub struct Machines;

#[supervisor]
impl Supervisor for Machines {
    type Args = ();
    type Child = Switch;

    fn init(_: ()) -> impl InitReturn {
        let switch = ChildSpec::template::<Switch>();
        (ok, (SupFlags::simple_one_for_one(), vec![switch]))
    }
}
