//! The root supervisor.
use otp_bridge::atoms::{ok, transient};
use otp_bridge::supervisor::prelude::*;

use crate::customer::{self, CUSTOMER};
use crate::http::Http;
use crate::order::{self, ORDER};
use crate::reopening::Reopening;

/// The port if the command line has none.
const PORT: u16 = 8080;

/// Starts and restarts the application's processes.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    /// The command line of `cargo otp run -- PORT`.
    type Args = Vec<String>;

    fn init(words: Vec<String>) -> Result<impl InitReturn> {
        let port = match words.first() {
            Some(word) => word.parse().or_exit()?,
            None => PORT,
        };
        // A registry stands before the processes that are in it.
        let children = vec![
            CUSTOMER.child(),
            customer::supervisor(),
            ORDER.child(),
            order::supervisor(),
            ChildSpec::of::<Reopening>(()).restart(transient),
            Http::child(port),
        ];
        Ok((
            ok,
            (SupFlags::rest_for_one().intensity(3).period(5), children),
        ))
    }
}
