//! The application's root supervisor.
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;
use otp_bridge::term::Shared;

use crate::till::{Prices, Till};

/// Starts a server. Its successors after a restart share a value with it.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(_: Vec<String>) -> impl InitReturn {
        let prices = Shared::new(Prices((0..1_000).collect()));
        let till = ChildSpec::of::<Till>(prices).registered(otp_bridge::atom!("till"));
        (
            ok,
            (SupFlags::one_for_one().intensity(1).period(5), vec![till]),
        )
    }
}
