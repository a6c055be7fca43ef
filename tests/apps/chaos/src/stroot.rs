//! The application's root supervisor.
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::brood::Brood;
use crate::clerk::Clerk;

/// Starts the clerk that answers the victims, and the supervisor of the victims.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(_: Vec<String>) -> impl InitReturn {
        let children = vec![
            ChildSpec::of::<Clerk>(()).registered(&Server::<Clerk>::registered()),
            ChildSpec::of::<Brood>(()).registered(&Server::<Brood>::registered()),
        ];
        (ok, (SupFlags::one_for_one().intensity(0), children))
    }
}
