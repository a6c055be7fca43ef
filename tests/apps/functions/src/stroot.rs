//! The root supervisor.
use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::acceptor::Acceptor;
use crate::caller::Caller;

/// Starts the caller and the acceptor.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(_: Vec<String>) -> impl InitReturn {
        let caller = ChildSpec::of::<Caller>(()).registered(atom!("caller"));
        let acceptor = ChildSpec::of::<Acceptor>(()).registered(atom!("acceptor"));
        (ok, (SupFlags::one_for_one(), vec![caller, acceptor]))
    }
}
