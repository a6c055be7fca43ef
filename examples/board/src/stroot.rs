//! The application's root supervisor.

use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::boards::{BOARDS, Boards};
use crate::http::{self, Http};
use crate::options::Options;

/// Starts the boards and the server.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    /// The command line.
    type Args = Vec<String>;

    /// Also called after an upgrade.
    fn init(words: Vec<String>) -> Result<impl InitReturn> {
        let options = Options::read(&words).map_err(Exit::new)?;
        let children = vec![
            ChildSpec::of::<Boards>(options.folder).registered(&BOARDS),
            Http::child(http::listen(options.port)),
        ];
        let flags = SupFlags::one_for_one().intensity(5).period(10);
        Ok((ok, (flags, children)))
    }
}
