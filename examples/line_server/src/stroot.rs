//! The application's root supervisor.

use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::connections::{CONNECTIONS, Connections};
use crate::listener::Listener;
use crate::store::{STORE, Store};

const USAGE: &str = "usage: cargo otp run -- PORT";

/// Starts the store, the connections' supervisor and the listener.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    /// The command line: a port.
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> Result<impl InitReturn> {
        let [port] = arguments.as_slice() else {
            return Err(Exit::new(USAGE));
        };
        let Ok(port) = port.parse() else {
            return Err(Exit::new(format!("{port} is not a port; {USAGE}")));
        };
        let children = vec![
            ChildSpec::of::<Store>(()).registered(&STORE),
            ChildSpec::of::<Connections>(()).registered(&CONNECTIONS),
            ChildSpec::of::<Listener>(port),
        ];
        // `rest_for_one`: if a child crashes, the children that depend on it are restarted as well.
        let flags = SupFlags::rest_for_one().intensity(3).period(10);
        Ok((ok, (flags, children)))
    }
}

#[cfg(test)]
mod tests {
    use otp_bridge::atom;
    use otp_bridge::messages::Down;

    use super::*;
    use crate::connections::CONNECTIONS;
    use crate::store::{Get, STORE, Set};

    /// A request without a clause in the store, as Erlang code could send it.
    #[derive(Debug, Term)]
    #[reply(ok)]
    struct Unknown;

    #[otp_bridge::test(arguments = ["0"])]
    async fn who_needs_the_store_starts_again_with_it(cx: &Cx<'_>) -> Result<()> {
        let set = Set("colour".to_owned(), "blue".to_owned());
        cx.call(&STORE, set).await?;
        let connections = cx.monitor(&CONNECTIONS).await?;
        // The request crashes the store.
        assert!(cx.call(&atom!("store"), Unknown).await.is_err());
        let down: Down = cx.receive().await?;
        assert!(connections.is(&down));

        // The supervisor answers after it has restarted all children.
        let children = cx.count_children(&Server::<Stroot>::registered()).await?;
        assert_eq!((children.active, children.specs), (3, 3));
        assert_eq!(cx.call(&STORE, Get("colour".to_owned())).await?, None);
        Ok(())
    }
}
