//! The application's root supervisor.

use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::clerk::{CLERK, Clerk};

/// Starts the clerk.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> impl InitReturn {
        let clerk = ChildSpec::of::<Clerk>(arguments).registered(&CLERK);
        (ok, (SupFlags::one_for_one(), vec![clerk]))
    }
}
