//! The application's root supervisor.

use otp_bridge::atoms::{ok, start_link};
use otp_bridge::supervisor::prelude::*;
use otp_bridge::{Atom, atom};

use crate::journal::{JOURNAL, Journal};
use crate::listener::{LISTENER, Listener};
use crate::sessions::{SESSIONS, Sessions};
use crate::store::{STORE, Store};

const USAGE: &str = "usage: cargo otp run -- PORT JOURNAL|- [NODE]";

/// Starts the groups, the journal, the store, the sessions' supervisor and the listener.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    /// The command line: a port, the path of the journal or `-` for none, and the name of the node
    /// whose data this one shares, if there is one already.
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> Result<impl InitReturn> {
        let (port, path, peer) = match arguments.as_slice() {
            [port, path] => (port, path, None),
            [port, path, peer] => (port, path, Some(Atom::new(peer)?)),
            _ => return Err(Exit::new(USAGE)),
        };
        let Ok(port) = port.parse() else {
            return Err(Exit::new(format!("{port} is not a port; {USAGE}")));
        };
        let path = Some(path.clone()).filter(|path| path != "-");
        let children = vec![
            ChildSpec::erlang(atom!("pg"), start_link, ()),
            ChildSpec::of::<Journal>(path).registered(&JOURNAL),
            ChildSpec::of::<Store>(peer).registered(&STORE),
            ChildSpec::of::<Sessions>(()).registered(&SESSIONS),
            ChildSpec::of::<Listener>(port).registered(&LISTENER),
        ];
        let flags = SupFlags::rest_for_one().intensity(3).period(10);
        Ok((ok, (flags, children)))
    }
}
