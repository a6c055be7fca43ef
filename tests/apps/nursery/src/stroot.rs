//! The application's root supervisor.
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::dynamic::{Machines, Plain, Tuned};
use crate::early::chick::Chicks;
use crate::early::egg::Eggs;
use crate::lead::Lead;
use crate::mixed::Mixed;

/// Starts the supervisors, and the server that calls them.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(_: Vec<String>) -> impl InitReturn {
        let children = vec![
            ChildSpec::of::<Plain>(()).registered(&Server::<Plain>::registered()),
            ChildSpec::of::<Tuned>(()).registered(Name::global("tuned")),
            ChildSpec::of::<Machines>(()).registered(&Server::<Machines>::registered()),
            ChildSpec::of::<Chicks>(()).registered(&Server::<Chicks>::registered()),
            ChildSpec::of::<Eggs>(()).registered(&Server::<Eggs>::registered()),
            ChildSpec::of::<Mixed>(()).registered(&Server::<Mixed>::registered()),
            ChildSpec::of::<Lead>(()).registered(&Server::<Lead>::registered()),
        ];
        (ok, (SupFlags::one_for_one(), children))
    }
}
