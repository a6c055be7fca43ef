//! The supervisor of this node's sessions.

use std::time::Duration;

use otp_bridge::atoms::{ok, temporary};
use otp_bridge::supervisor::prelude::*;

use crate::session::Session;

/// The supervisor, registered under the name of its module.
pub static SESSIONS: Server<Sessions> = Server::registered();

/// Starts a child for each client.
pub struct Sessions;

#[supervisor]
impl Supervisor for Sessions {
    type Args = ();
    type Child = Session;

    fn init(_: ()) -> impl InitReturn {
        // Children are temporary: a client whose session has crashed connects again.
        let session = ChildSpec::template::<Session>()
            .restart(temporary)
            .shutdown(Duration::from_secs(1));
        (ok, (SupFlags::simple_one_for_one(), vec![session]))
    }
}
