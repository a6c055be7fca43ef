//! The supervisor of the pool.
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::worker::Worker;

/// Starts the workers.
pub struct Workers;

#[supervisor]
impl Supervisor for Workers {
    type Args = u16;

    fn init(count: u16) -> impl InitReturn {
        let workers = (0..count).map(|number| ChildSpec::of::<Worker>(number).id(number));
        let flags = SupFlags::one_for_one().intensity(10).period(5);
        (ok, (flags, workers.collect::<Vec<_>>()))
    }
}
