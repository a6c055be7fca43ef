//! The root supervisor.

use std::net::{Ipv4Addr, TcpListener};
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;
use otp_bridge::term::Shared;

use crate::boards::{BOARDS, Boards};
use crate::http::Http;
use crate::options::Options;
use crate::store::Store;

/// Starts the boards and the server.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    /// The command line.
    type Args = Vec<String>;

    fn init(words: Vec<String>) -> Result<impl InitReturn> {
        let options = Options::read(&words).map_err(Exit::new)?;
        let port = free(options.port).map_err(Exit::new)?;
        let path = std::path::absolute(&options.folder)?;
        println!("the boards are in {}", path.display());
        // The child specs have what both share: one of them that has ended leaves it to the next
        // one.
        let store = Shared::new(Store::default());
        let children = vec![
            ChildSpec::of::<Boards>((store.clone(), options.folder)).registered(&BOARDS),
            ChildSpec::of::<Http>((store, port)).shutdown(Duration::from_secs(10)),
        ];
        let flags = SupFlags::one_for_one().intensity(5).period(10);
        Ok((ok, (flags, children)))
    }
}

/// A server that is started again has the same port. 0 is any free one.
fn free(port: u16) -> Result<u16, String> {
    let probe = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let probed = probe.and_then(|probe| probe.local_addr());
    probed
        .map(|address| address.port())
        .map_err(|error| format!("127.0.0.1:{port}: {error}"))
}
