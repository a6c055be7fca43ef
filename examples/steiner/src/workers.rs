//! The supervisor of the pool.

use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;
use otp_bridge::task::TaskPool;

use crate::worker::Worker;

/// Starts a worker for each core.
pub struct Workers;

#[supervisor]
impl Supervisor for Workers {
    type Args = ();

    fn init(_: ()) -> impl InitReturn {
        let workers =
            (0..TaskPool::cores()).map(|number| ChildSpec::of::<Worker>(number).id(number));
        (ok, (SupFlags::one_for_one(), workers.collect::<Vec<_>>()))
    }
}
