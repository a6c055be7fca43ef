//! The supervisor of the connections.

use std::time::Duration;

use otp_bridge::atoms::{ok, temporary};
use otp_bridge::supervisor::prelude::*;

use crate::connection::Connection;

/// The supervisor of this application's connections.
pub static CONNECTIONS: Server<Connections> = Server::registered();

/// Starts a child for each client.
pub struct Connections;

#[supervisor]
impl Supervisor for Connections {
    type Args = ();
    type Child = Connection;

    fn init(_: ()) -> impl InitReturn {
        // Children are temporary: a client whose connection has ended has to reconnect itself.
        let connection = ChildSpec::template::<Connection>()
            .restart(temporary)
            .shutdown(Duration::from_secs(1));
        (ok, (SupFlags::simple_one_for_one(), vec![connection]))
    }
}
