//! The root supervisor.

use std::net::{Ipv4Addr, TcpListener};

use otp_bridge::Shared;
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::options::Options;
use crate::reactor::Reactor;
use crate::store::Store;

/// Starts the reactors.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    /// The command line.
    type Args = Vec<String>;

    fn init(words: Vec<String>) -> Result<impl InitReturn> {
        let Options { port, reactors } = Options::read(&words).map_err(Exit::new)?;
        let port = free(port)?;
        println!("listening on 127.0.0.1:{port} with {reactors} reactors");
        // The child specs have the keys, so that a reactor which has ended finds them again.
        let store = Shared::new(Store::default());
        let reactor = |number| ChildSpec::of::<Reactor>((port, store.clone())).id(number);
        let children: Vec<ChildSpec> = (0..reactors).map(reactor).collect();
        Ok((ok, (SupFlags::one_for_one().intensity(5).period(10), children)))
    }
}

/// The reactors share a port, so that none of them would notice another program's. 0 is any free port.
fn free(port: u16) -> std::io::Result<u16> {
    let probe = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    Ok(probe.local_addr()?.port())
}
