//! The process that tells other nodes who has which slot.

use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::{NodeDown, NodeUp};
use otp_bridge::pg::Group;
use otp_bridge::term::Shared;

use super::{Claim, Peer};
use crate::server::Server as Redis;

/// So often it tells what it knows, also when nothing has changed: a message may have been lost with a connection.
const AGAIN: Duration = Duration::from_millis(1000);

/// One for each node.
#[derive(Debug)]
pub struct Member {
    server: Shared<Redis>,
}

/// `{claims, …}`: what a node knows.
#[derive(Debug, Clone, Term)]
pub struct Claims {
    /// The node that says so.
    from: String,
    nodes: Vec<Claimed>,
}

/// What is claimed by one.
#[derive(Debug, Clone, Term)]
pub struct Claimed {
    id: String,
    node: String,
    port: u16,
    epoch: u64,
    slots: Vec<(u16, u16)>,
}

fn members() -> Group<Member> {
    Group::new("redis_cluster")
}

fn claims_of(server: &Redis) -> Option<Claims> {
    let map = server.cluster.map();
    let map = map.as_ref()?;
    let short = |slot: usize| u16::try_from(slot).unwrap_or(u16::MAX);
    let nodes = map.claims().into_iter().map(|claim| Claimed {
        id: claim.peer.id,
        node: claim.peer.node,
        port: claim.peer.port,
        epoch: claim.peer.epoch,
        slots: claim
            .slots
            .iter()
            .map(|it| (short(it.0), short(it.1)))
            .collect(),
    });
    Some(Claims {
        from: map.peers[0].node.clone(),
        nodes: nodes.collect(),
    })
}

#[gen_server]
impl GenServer for Member {
    /// What it shares with the reactors, and the slots that it has at first.
    type Args = (Shared<Redis>, Vec<(u16, u16)>);

    async fn init(
        (server, slots): (Shared<Redis>, Vec<(u16, u16)>),
        cx: &Cx<'_>,
    ) -> Result<impl InitReturn<Self>> {
        let port = server.port.load(std::sync::atomic::Ordering::Relaxed);
        let slots: Vec<(usize, usize)> =
            slots.iter().map(|it| (it.0.into(), it.1.into())).collect();
        server
            .cluster
            .enable(&cx.node().await?.to_string(), port, &slots);
        members().join(cx).await?;
        cx.monitor_nodes(true);
        let of_news = server.clone();
        cx.spawn_task::<(), _>(async move |cx| {
            loop {
                if let Some(claims) = claims_of(&of_news) {
                    members().cast(cx, claims).await?;
                }
                let late = async { drop(cx.sleep(AGAIN).await) };
                otp_bridge::process::race(of_news.cluster.news.wished(), late).await;
            }
        })
        .linked();
        Ok((ok, Member { server }))
    }

    fn handle_cast(&mut self, claims: Claims) -> HandleCast {
        let mut map = self.server.cluster.map();
        if let Some(map) = &mut *map {
            for it in claims.nodes {
                let is_itself = it.node == claims.from;
                map.merge(&Claim {
                    slots: it
                        .slots
                        .iter()
                        .map(|it| (it.0.into(), it.1.into()))
                        .collect(),
                    peer: Peer {
                        id: it.id,
                        node: it.node,
                        port: it.port,
                        epoch: it.epoch,
                        is_connected: is_itself,
                    },
                });
            }
            let from = map.peers.iter_mut().find(|it| it.node == claims.from);
            from.into_iter().for_each(|it| it.is_connected = true);
        }
        drop(map);
        noreply()
    }

    fn handle_info(&mut self, _: NodeUp) -> HandleInfo {
        self.server.cluster.news.wish();
        noreply()
    }

    fn handle_info(&mut self, NodeDown { node }: NodeDown) -> HandleInfo {
        let name = node.to_string();
        let mut map = self.server.cluster.map();
        let peers = map.iter_mut().flat_map(|it| it.peers.iter_mut());
        for peer in peers.filter(|it| it.node == name) {
            peer.is_connected = false;
        }
        drop(map);
        noreply()
    }
}
