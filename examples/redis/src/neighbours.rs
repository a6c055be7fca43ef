//! The supervisor of the processes that communicate with other nodes.

use otp_bridge::atom;
use otp_bridge::atoms::{ok, start_link};
use otp_bridge::supervisor::prelude::*;
use otp_bridge::term::Shared;

use crate::cluster::Member;
use crate::herald::Herald;
use crate::replication::Replicator;
use crate::server::Server;

/// Starts the process groups, and then the processes that join them.
pub struct Neighbours;

/// The slots of a node of a cluster, as ranges.
type Slots = Vec<(u16, u16)>;

#[supervisor]
impl Supervisor for Neighbours {
    /// The state shared with the reactors, the port of the master, and the slots in a cluster.
    type Args = (Shared<Server>, Option<u16>, Option<Slots>);

    fn init(
        (server, master, slots): (Shared<Server>, Option<u16>, Option<Slots>),
    ) -> impl InitReturn {
        let mut children: Vec<ChildSpec> = vec![
            ChildSpec::erlang(atom!("pg"), start_link, ()),
            ChildSpec::of::<Replicator>((server.clone(), master)),
            // The process before this one finds out whether there may be other nodes.
            ChildSpec::of::<Herald>(server.clone()),
        ];
        children.extend(slots.map(|slots| ChildSpec::of::<Member>((server, slots))));
        // If the groups are restarted, the others have to join them again.
        (
            ok,
            (SupFlags::rest_for_one().intensity(5).period(10), children),
        )
    }
}
