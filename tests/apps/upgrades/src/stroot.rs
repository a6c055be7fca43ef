//! The application's root supervisor.
use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::counter::Counter;

/// Starts a counter; from the second build, also another one.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(_: Vec<String>) -> impl InitReturn {
        crate::common::note("began");
        println!("the supervisor's build: {}", crate::BUILD);
        let mut children = vec![
            ChildSpec::of::<Counter>(0)
                .id(atom!("counter"))
                .registered(atom!("counter")),
        ];
        if crate::BUILD != "1" {
            children.push(
                ChildSpec::of::<Counter>(1_000)
                    .id(atom!("another"))
                    .registered(atom!("another")),
            );
        }
        (
            ok,
            (SupFlags::one_for_one().intensity(1).period(5), children),
        )
    }
}
