//! The root supervisor.

use otp_bridge::atoms::{any_significant, ok, temporary};
use otp_bridge::supervisor::prelude::*;

use crate::bench::Bench;
use crate::plan::Plan;

/// Starts the bench, with whose end the application ends.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> Result<impl InitReturn> {
        let bench = ChildSpec::of::<Bench>(Plan::parse(&arguments)?)
            .registered(Name::of::<Bench>())
            .restart(temporary)
            .significant(true);
        let flags = SupFlags::one_for_one().auto_shutdown(any_significant);
        Ok((ok, (flags, vec![bench])))
    }
}
