//! The link to the other nodes.

use std::time::Duration;

use otp_bindings::global;
use otp_bridge::Atom;
use otp_bridge::atoms::{continue_, ok};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::{NodeDown, NodeUp};

/// How long it waits before it tries again to connect.
const AGAIN: Duration = Duration::from_secs(1);

/// Connects this node to another one, and so to all that that one is connected to.
#[derive(Debug, Term)]
pub struct Cluster {
    peer: Option<Atom>,
    /// The nodes that it has told of.
    connected: Vec<Atom>,
}

/// `connect`
#[derive(Debug, Term)]
pub struct Connect;

#[gen_server]
impl GenServer for Cluster {
    /// The node to connect to, or `undefined`: others may connect to this one.
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
        // Others may have connected before this process was there.
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
            // From then on a name is either the one's or the other's. A node that is lost meanwhile
            // is told of by `nodedown`.
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
