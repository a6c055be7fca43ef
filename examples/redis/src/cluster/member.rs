//! The process that exchanges claims with the other nodes. Claims tell which nodes have which
//! slots, and which masters have which replicas.

use std::time::Duration;

use otp_bridge::Atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::{NodeDown, NodeUp};
use otp_bridge::pg::Group;
use otp_bridge::process::Nodes;
use otp_bridge::task::LocalCell;
use otp_bridge::term::Shared;

use super::claims::claims_of;
use super::file::{load, path_of};
use super::{Cookie, Map};
use crate::replication::Master;
use crate::server::Server as Redis;
use crate::store::now;

/// Milliseconds between two rounds. In each round, the process looks for lost nodes, and repeats
/// its claims even if they are unchanged, because a message may be lost with its connection.
const AGAIN: u64 = 1000;
/// Minimum number of rounds within the time after which a node counts as failed.
const BEATS: u64 = 5;
/// How long a master that hands over its slots accepts no writes, in milliseconds. Its replica has
/// to take over earlier.
const HANDING_OVER: u64 = 5000;
const TAKING_OVER: u64 = 4000;

/// The process, one for each node.
#[derive(Debug)]
pub struct Member {
    server: Shared<Redis>,
    /// The map's number of changes when the process last looked.
    changes: u64,
    /// Whether a task is trying to reach lost nodes.
    is_connecting: LocalCell<bool>,
}

/// `{claims, …}`: the knowledge of a node.
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct Claims {
    /// The names of the Erlang nodes that the sender wants to meet.
    pub(super) meets: Vec<String>,
    /// The sender's clock.
    pub(super) stamp: u64,
    /// The highest epoch that the sender knows.
    pub(super) epoch: u64,
    /// The end of the sender's history of changes.
    pub(super) offset: u64,
    /// The other nodes' clocks in the last message from each of them, by their ids.
    pub(super) heard: Vec<(String, u64)>,
    /// The claims. The first one is about the sender.
    pub(super) nodes: Vec<Claimed>,
}

/// A claim about one node.
#[derive(Debug, Clone, Term)]
pub struct Claimed {
    pub(super) id: String,
    pub(super) node: String,
    pub(super) port: u16,
    pub(super) epoch: u64,
    pub(super) slots: Vec<(u16, u16)>,
    pub(super) master: Option<String>,
}

/// Announces that a replica stands for election.
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct Stands {
    pub(super) from: String,
    pub(super) epoch: u64,
    pub(super) is_forced: bool,
}

/// A master's vote.
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct Vote {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) epoch: u64,
}

/// A replica's request that its master hand its slots over. The replica takes them only until this
/// time of its own clock.
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct HandOver {
    from: String,
    to: String,
    until: u64,
}

/// The master's answer: it changes no keys for a while. The replica has to reach this offset first.
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct HandedOver {
    to: String,
    offset: u64,
    until: u64,
}

/// Time to send claims, and to check for lost nodes.
#[derive(Debug, Clone, Term)]
pub struct Beat;

/// Time for a round.
#[derive(Debug, Clone, Term)]
pub struct Tick;

/// A failover that an administrator has requested (CLUSTER FAILOVER).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failover {
    /// The master hands its slots over.
    HandOver,
    /// The masters vote, even if the master may still be alive.
    Votes,
}

fn members() -> Group<Member> {
    Group::new("redis_cluster")
}

/// Applies the role that the map gives to this node: follows its master, or stops following. Waits
/// for scripts to end.
fn take_part(server: &Redis) {
    let closed = server.scripts.gate.close();
    let master = master_of(server);
    let known = server.replication.known().master.clone();
    match master {
        Some(master) if known.is_none_or(|it| it.node != master.node) => server.follow(master),
        Some(_) => {}
        None => server.lead(),
    }
    // Clients that waited are now redirected.
    server.pause.end();
    drop(closed);
}

fn master_of(server: &Redis) -> Option<Master> {
    let map = server.cluster.map();
    let master = map.as_ref().and_then(Map::master);
    master.map(|it| Master {
        node: it.node.clone(),
        port: it.port,
    })
}

#[gen_server]
impl GenServer for Member {
    /// The state shared with the reactors, and the node's initial slots.
    type Args = (Shared<Redis>, Vec<(u16, u16)>);

    async fn init(
        (server, slots): (Shared<Redis>, Vec<(u16, u16)>),
        cx: &Cx<'_>,
    ) -> Result<impl InitReturn<Self>> {
        let port = server.port.load(std::sync::atomic::Ordering::Relaxed);
        let slots: Vec<(usize, usize)> =
            slots.iter().map(|it| (it.0.into(), it.1.into())).collect();
        let node = cx.node().await?.text().to_owned();
        let mut known = None;
        if server.replication.is_reachable() {
            let cookie: Atom = cx.apply("erlang", "get_cookie", ()).await?;
            *server.cluster.cookie() = Cookie::new(cookie.text());
            let path = path_of(&server.folder(), &node);
            known = cx.blocking(|| load(&path)).await?;
            server.cluster.save_to(path);
        }
        cx.monitor_nodes(true);
        let connected = cx.nodes().await?;
        let connected: Vec<String> = connected.iter().map(|it| it.text().to_owned()).collect();
        let me = (node.as_str(), port);
        server.cluster.enable(me, known, &slots, &connected);
        cx.blocking(|| server.cluster.save()).await?;
        members().join(cx).await?;
        let of_news = server.clone();
        cx.spawn_task::<(), _>(async move |cx| {
            loop {
                of_news.cluster.news.wished().await;
                cx.send(&cx.pid(), Beat);
            }
        })
        .linked();
        cx.send(&cx.pid(), Tick);
        let is_connecting = cx.local(false);
        Ok((
            ok,
            Member {
                server,
                changes: 0,
                is_connecting,
            },
        ))
    }

    fn handle_info(&mut self, _: Tick, cx: &Cx<'_>) -> HandleInfo {
        let pause = (self.server.cluster.patience() / BEATS).clamp(10, AGAIN);
        cx.send_after(Duration::from_millis(pause), Tick);
        cx.send(&cx.pid(), Beat);
        noreply()
    }

    async fn handle_info(&mut self, _: Beat, cx: &Cx<'_>) -> Result<HandleInfo> {
        self.reach_lost(cx);
        if let Some(claims) = claims_of(&self.server) {
            members().cast(cx, claims).await?;
        }
        let standing = self.server.stand();
        if let Some(stands) = standing {
            members().cast(cx, stands).await?;
        }
        let failover = self.server.cluster.failover().take();
        if let Some(how) = failover {
            self.fail_over(how, cx).await?;
        }
        self.take_part(cx).await;
        noreply()
    }

    async fn handle_cast(&mut self, claims: Claims, cx: &Cx<'_>) -> Result<HandleCast> {
        self.server.learn(claims);
        self.take_part(cx).await;
        noreply()
    }

    async fn handle_cast(&mut self, it: Stands, cx: &Cx<'_>) -> Result<HandleCast> {
        // The vote is saved before it is sent, so that a restarted node does not vote twice in an
        // epoch.
        if let Some(vote) = self.server.vote(&it)
            && self.saved(cx).await
        {
            members().cast(cx, vote).await?;
        }
        noreply()
    }

    async fn handle_cast(&mut self, it: Vote, cx: &Cx<'_>) -> Result<HandleCast> {
        let is_elected = self
            .server
            .cluster
            .with(|map| map.peers[0].id == it.to && map.is_elected(it.epoch, &it.from));
        if is_elected == Some(true) {
            self.take_part(cx).await;
            self.server.cluster.news.wish();
        }
        noreply()
    }

    async fn handle_cast(&mut self, it: HandOver, cx: &Cx<'_>) -> Result<HandleCast> {
        let server = &self.server;
        let is_mine = server.cluster.with(|map| {
            let from = map.find(&it.from).and_then(|from| from.1.master.as_deref());
            map.peers[0].id == it.to && from == Some(&*it.to)
        });
        if is_mine != Some(true) {
            return noreply();
        }
        let offset = cx
            .blocking(|| {
                let _closed = server.scripts.gate.close();
                server.pause.begin(now() + HANDING_OVER, false);
                server.store.backlog.end()
            })
            .await;
        let handed = HandedOver {
            to: it.from,
            offset,
            until: it.until,
        };
        members().cast(cx, handed).await?;
        noreply()
    }

    fn handle_cast(&mut self, it: HandedOver, cx: &Cx<'_>) -> HandleCast {
        const PATIENCE: Duration = Duration::from_millis(10);
        let is_me = self.server.cluster.with(|map| map.peers[0].id == it.to);
        if is_me == Some(true) {
            let server = self.server.clone();
            cx.spawn_task::<(), _>(async move |cx| {
                while server.store.backlog.end() < it.offset {
                    cx.sleep(PATIENCE).await?;
                }
                if server.cluster.clock() < it.until {
                    server.cluster.with(|map| map.promote(map.epoch() + 1));
                    cx.blocking(|| take_part(&server)).await;
                    server.cluster.news.wish();
                }
                Ok(())
            });
        }
        noreply()
    }

    fn handle_info(&mut self, _: NodeUp) -> HandleInfo {
        self.server.cluster.news.wish();
        noreply()
    }

    fn handle_info(&mut self, NodeDown { node }: NodeDown) -> HandleInfo {
        let name = node.text().to_owned();
        self.server.cluster.with(|map| {
            let peers = map.peers[1..].iter_mut();
            let lost = peers.filter(|it| it.node == name);
            lost.for_each(|it| it.is_connected = false);
        });
        // Tells the other nodes the new offset soon.
        self.server.cluster.news.wish();
        noreply()
    }
}

impl Member {
    /// Connects to lost nodes in a task of its own, because connecting may take long.
    fn reach_lost(&self, cx: &Cx<'_>) {
        let lost = self.server.cluster.lost_nodes();
        let is_connecting = self.is_connecting.clone();
        if lost.is_empty() || is_connecting.get() {
            return;
        }
        is_connecting.with(|it| *it = true);
        cx.spawn_task::<(), _>(async move |cx| {
            for node in lost {
                if let Ok(node) = Atom::new(&node) {
                    cx.connect(node).await?;
                }
            }
            is_connecting.with(|it| *it = false);
            Ok(())
        })
        .linked();
    }

    async fn take_part(&mut self, cx: &Cx<'_>) {
        let server = &self.server;
        let changes = server.cluster.changes();
        if self.changes != changes {
            server.leave_shards();
            if self.saved(cx).await {
                self.changes = changes;
            }
        }
        let server = &self.server;
        let node = master_of(server).map(|it| it.node);
        let known = server.replication.known().master.clone();
        let differs = known.map(|it| it.node) != node;
        if differs {
            cx.blocking(|| take_part(server)).await;
        }
    }

    /// Saves this node's knowledge. Returns whether the file is up to date.
    async fn saved(&self, cx: &Cx<'_>) -> bool {
        let cluster = &self.server.cluster;
        let saved = cx.blocking(|| cluster.save()).await;
        if let Err(error) = &saved {
            println!("error saving the cluster node config: {error}");
        }
        saved.is_ok()
    }

    async fn fail_over(&self, how: Failover, cx: &Cx<'_>) -> Result<()> {
        let server = &self.server;
        let clock = server.cluster.clock();
        let ids = server.cluster.with(|map| {
            let master = map.master()?.id.clone();
            Some((map.peers[0].id.clone(), master))
        });
        let Some(Some((from, to))) = ids else {
            return Ok(());
        };
        if how == Failover::HandOver {
            let until = clock + TAKING_OVER;
            members().cast(cx, HandOver { from, to, until }).await?;
            return Ok(());
        }
        if let Some(epoch) = server.cluster.with(|map| map.stand_now(clock)) {
            let is_forced = true;
            let stands = Stands {
                from,
                epoch,
                is_forced,
            };
            members().cast(cx, stands).await?;
        }
        Ok(())
    }
}
