//! The application's root supervisor.
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::keeper::Keeper;

/// Starts the process that keeps the book in the given folder.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(folder: Vec<String>) -> impl InitReturn {
        let folder = folder.into_iter().next().unwrap_or_default();
        let keeper = ChildSpec::of::<Keeper>(folder).registered(&Server::<Keeper>::registered());
        // Tests kill it all the time.
        (
            ok,
            (
                SupFlags::one_for_one().intensity(1000).period(1),
                vec![keeper],
            ),
        )
    }
}
