//! A supervisor with many children, to measure its `init/1`. `tests/apps/bench_rustler` makes an
//! equal term with rustler's own codecs.
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::counter::Counter;

/// Supervises this many counters.
pub struct Thousand;

#[supervisor]
impl Supervisor for Thousand {
    /// The number of counters.
    type Args = u32;

    fn init(count: u32) -> impl InitReturn {
        let flags = SupFlags::one_for_one().intensity(1).period(5);
        let child = |id: u32| ChildSpec::of::<Counter>(u64::from(id)).id(id);
        (ok, (flags, (0..count).map(child).collect::<Vec<_>>()))
    }
}
