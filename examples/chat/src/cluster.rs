//! The process that links this node to the other nodes of the cluster.

use std::time::Duration;

use otp_bindings::global;
use otp_bridge::Atom;
use otp_bridge::atoms::{continue_, ok};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::{NodeDown, NodeUp};

/// Pause before the next attempt to connect.
const AGAIN: Duration = Duration::from_secs(1);

/// Connects this node to a peer. Erlang then connects it to all nodes that the peer is connected
/// to.
#[derive(Debug, Term)]
pub struct Cluster {
    peer: Option<Atom>,
    /// The connected nodes that have been announced.
    connected: Vec<Atom>,
}

/// `connect`
#[derive(Debug, Term)]
pub struct Connect;

#[gen_server]
impl GenServer for Cluster {
    /// The node to connect to, or `undefined` if this is the first node.
    type Args = Option<Atom>;

    fn init(peer: Option<Atom>, cx: &Cx<'_>) -> impl InitReturn<Self> {
        cx.monitor_nodes(true);
        let cluster = Cluster {
            peer,
            connected: Vec::new(),
        };
        (ok, cluster, (continue_, Connect))
    }

    async fn handle_continue(&mut self, _: Connect, cx: &Cx<'_>) -> Result<HandleContinue> {
        // Other nodes may have connected before this process started.
        for node in cx.nodes().await? {
            self.tell_of(node, cx).await?;
        }
        self.connect(cx).await?;
        noreply()
    }

    async fn handle_info(&mut self, _: Connect, cx: &Cx<'_>) -> Result<HandleInfo> {
        self.connect(cx).await?;
        noreply()
    }

    async fn handle_info(&mut self, NodeUp { node }: NodeUp, cx: &Cx<'_>) -> Result<HandleInfo> {
        self.tell_of(node, cx).await?;
        noreply()
    }

    fn handle_info(&mut self, NodeDown { node }: NodeDown, cx: &Cx<'_>) -> HandleInfo {
        println!("lost {node}");
        self.connected.retain(|it| *it != node);
        if self.peer.as_ref() == Some(&node) {
            cx.send_after(AGAIN, Connect);
        }
        noreply()
    }
}

impl Cluster {
    async fn tell_of(&mut self, node: Atom, cx: &Cx<'_>) -> Result<()> {
        if !self.connected.contains(&node) {
            // After the synchronisation, no name is registered on both sides. A node that is lost
            // in the meantime is reported by `nodedown`.
            let _synchronized = global::sync(cx).await?;
            println!("connected to {node}");
            self.connected.push(node);
        }
        Ok(())
    }

    async fn connect(&self, cx: &Cx<'_>) -> Result<()> {
        if let Some(peer) = &self.peer
            && !cx.connect(peer.clone()).await?
        {
            cx.send_after(AGAIN, Connect);
        }
        Ok(())
    }
}
