//! The root supervisor.
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::dynamic::{Machines, Plain, Tuned};
use crate::early::chick::Chicks;
use crate::early::egg::Eggs;
use crate::lead::Lead;
use crate::mixed::Mixed;

/// Starts the supervisors, and who asks them.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(_: Vec<String>) -> impl InitReturn {
        let children = vec![
            ChildSpec::of::<Plain>(()).registered(Name::of::<Plain>()),
            ChildSpec::of::<Tuned>(()).registered(Name::global("tuned")),
            ChildSpec::of::<Machines>(()).registered(Name::of::<Machines>()),
            ChildSpec::of::<Chicks>(()).registered(Name::of::<Chicks>()),
            ChildSpec::of::<Eggs>(()).registered(Name::of::<Eggs>()),
            ChildSpec::of::<Mixed>(()).registered(Name::of::<Mixed>()),
            ChildSpec::of::<Lead>(()).registered(Name::of::<Lead>()),
        ];
        (ok, (SupFlags::one_for_one(), children))
    }
}
