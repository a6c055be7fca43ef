//! The application's root supervisor.

use otp_bridge::atoms::{ok, start_link};
use otp_bridge::supervisor::prelude::*;
use otp_bridge::{Atom, atom};

use crate::cluster::Cluster;
use crate::listener::Listener;
use crate::rooms::{Rooms, SCOPE};
use crate::users::{USERS, Users};

const USAGE: &str = "usage: cargo otp run -- PORT [NODE]";

/// Starts the rooms' scope, the process that watches it, the link to the cluster, the users'
/// supervisor and the listener.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    /// The command line: a port, and the name of a node of the cluster, if there is one already.
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> Result<impl InitReturn> {
        let (port, peer) = match arguments.as_slice() {
            [port] => (port, None),
            [port, peer] => (port, Some(Atom::new(peer)?)),
            _ => return Err(Exit::new(USAGE)),
        };
        let Ok(port) = port.parse() else {
            return Err(Exit::new(format!("{port} is not a port; {USAGE}")));
        };
        let children = vec![
            ChildSpec::erlang(atom!("pg"), start_link, (SCOPE,)),
            ChildSpec::of::<Rooms>(()),
            ChildSpec::of::<Cluster>(peer),
            ChildSpec::of::<Users>(()).registered(&USERS),
            ChildSpec::of::<Listener>(port),
        ];
        // If the scope crashes, users have to join their rooms again, so they are restarted as
        // well.
        let flags = SupFlags::rest_for_one().intensity(3).period(10);
        Ok((ok, (flags, children)))
    }
}
