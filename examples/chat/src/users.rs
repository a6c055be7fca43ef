//! The supervisor of this node's users.

use std::time::Duration;

use otp_bridge::atoms::{ok, temporary};
use otp_bridge::supervisor::prelude::*;

use crate::user::User;

/// The supervisor of this node's users.
pub static USERS: Server<Users> = Server::registered();

/// Starts a child for each client.
pub struct Users;

#[supervisor]
impl Supervisor for Users {
    type Args = ();
    type Child = User;

    fn init(_: ()) -> impl InitReturn {
        // Children are temporary: a client whose connection has ended has to reconnect itself.
        let user = ChildSpec::template::<User>()
            .restart(temporary)
            .shutdown(Duration::from_secs(1));
        (ok, (SupFlags::simple_one_for_one(), vec![user]))
    }
}
