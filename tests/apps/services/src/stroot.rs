//! The root supervisor.
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;
use otp_bridge_axum::Listen;

use crate::counter::{COUNTER, Counter};
use crate::http::{Http, Later};
use crate::traced::{AUDIT, Audit, WORK, Work};

/// Starts the counter and two servers.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    /// Port of the first server; without it, any free port.
    type Args = Vec<String>;

    fn init(words: Vec<String>) -> impl InitReturn {
        let port = words
            .first()
            .and_then(|word| word.parse().ok())
            .unwrap_or(0);
        let limits = Listen::port(port).requests(3).body(100);
        let children = vec![
            ChildSpec::of::<Counter>(()).registered(&COUNTER),
            Http::child(limits),
            Later::child(0),
            ChildSpec::of::<Audit>(()).registered(&AUDIT),
            ChildSpec::of::<Work>(()).registered(&WORK),
        ];
        (
            ok,
            (SupFlags::one_for_one().intensity(5).period(5), children),
        )
    }
}
