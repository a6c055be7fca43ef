//! The root supervisor.

use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::connections::Connections;
use crate::listener::Listener;
use crate::store::Store;

/// Starts the store, the connections' supervisor and the listener.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    /// The command line: a port.
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> Result<impl InitReturn> {
        let [port] = arguments.as_slice() else {
            return Err(Exit::new("usage: cargo otp run -- PORT"));
        };
        let Ok(port) = port.parse() else {
            return Err(Exit::new(("not a port", port)));
        };
        let children = vec![
            ChildSpec::of::<Store>(()).registered(Name::of::<Store>()),
            ChildSpec::of::<Connections>(()).registered(Name::of::<Connections>()),
            ChildSpec::of::<Listener>(port),
        ];
        // Whoever needs one that has ended starts again, too.
        let flags = SupFlags::rest_for_one().intensity(3).period(10);
        Ok((ok, (flags, children)))
    }
}
