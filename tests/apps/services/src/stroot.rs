//! The root supervisor.
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;
use otp_bridge_axum::Listen;

use crate::counter::{COUNTER, Counter};
use crate::http::{Http, Later};
use crate::metered::Meters;
use crate::traced::{AUDIT, Audit, WORK, Work};

/// Starts the counter and two servers.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    /// Port of the first server, and of that for metrics, which starts only if its port is given.
    /// Without the first port, any free one.
    type Args = Vec<String>;

    fn init(words: Vec<String>) -> impl InitReturn {
        let port = |index: usize| words.get(index).and_then(|word| word.parse().ok());
        let limits = Listen::port(port(0).unwrap_or(0)).requests(3).body(100);
        let mut children = vec![
            ChildSpec::of::<Counter>(()).registered(&COUNTER),
            Http::child(limits),
            Later::child(0),
            ChildSpec::of::<Audit>(()).registered(&AUDIT),
            ChildSpec::of::<Work>(()).registered(&WORK),
        ];
        children.extend(port(1).map(|port| Meters::child(Listen::port(port).requests(9))));
        (
            ok,
            (SupFlags::one_for_one().intensity(5).period(5), children),
        )
    }
}
