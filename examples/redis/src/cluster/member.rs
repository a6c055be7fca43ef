//! The process that tells other nodes who has which slot, and who is whose replica.

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

/// So often it looks for those that are lost, and tells what it knows, also when nothing has
/// changed: a message may have been lost with a connection.
const AGAIN: u64 = 1000;
/// So often in the time after which a node has failed, at least.
const BEATS: u64 = 5;
/// A master that hands its slots over takes no writes for so many milliseconds, and its replica
/// takes them before.
const HANDING_OVER: u64 = 5000;
const TAKING_OVER: u64 = 4000;

/// One for each node.
#[derive(Debug)]
pub struct Member {
    server: Shared<Redis>,
    /// How often the map was changed when it has looked last.
    changes: u64,
    /// Whether it tries to reach those that are lost.
    is_connecting: LocalCell<bool>,
}

/// `{claims, …}`: what a node knows.
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct Claims {
    /// The names of the nodes that it wants to meet.
    pub(super) meets: Vec<String>,
    /// What its clock says.
    pub(super) stamp: u64,
    /// The highest epoch that it knows.
    pub(super) epoch: u64,
    /// Up to where it has the history of changes.
    pub(super) offset: u64,
    /// What the clocks of others have said when it has heard of them last, by their ids.
    pub(super) heard: Vec<(String, u64)>,
    /// The first one is who says so.
    pub(super) nodes: Vec<Claimed>,
}

/// What is claimed by one.
#[derive(Debug, Clone, Term)]
pub struct Claimed {
    pub(super) id: String,
    pub(super) node: String,
    pub(super) port: u16,
    pub(super) epoch: u64,
    pub(super) slots: Vec<(u16, u16)>,
    pub(super) master: Option<String>,
}

/// A replica stands for election.
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct Stands {
    pub(super) from: String,
    pub(super) epoch: u64,
    pub(super) is_forced: bool,
}

/// A master votes.
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct Vote {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) epoch: u64,
}

/// A replica asks its master for its slots. It takes them only until a time of its own clock.
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct HandOver {
    from: String,
    to: String,
    until: u64,
}

/// The master does not change keys for a while. Up to here the replica has to be.
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct HandedOver {
    to: String,
    offset: u64,
    until: u64,
}

/// It is time to tell what is known, and to look whether somebody is lost.
#[derive(Debug, Clone, Term)]
pub struct Beat;

/// Some time is over.
#[derive(Debug, Clone, Term)]
pub struct Tick;

/// What an administrator asks for: CLUSTER FAILOVER.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failover {
    /// The master hands over.
    HandOver,
    /// The masters vote, although the master may be there.
    Votes,
}

fn members() -> Group<Member> {
    Group::new("redis_cluster")
}

/// Does what the map says: follows its master, or nobody. It waits for scripts.
fn take_part(server: &Redis) {
    let closed = server.scripts.gate.close();
    let master = master_of(server);
    let known = server.replication.known().master.clone();
    match master {
        Some(master) if known.is_none_or(|it| it.node != master.node) => server.follow(master),
        Some(_) => {}
        None => server.lead(),
    }
    // Those who waited are told where to go.
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
    /// What it shares with the reactors, and the slots that it has at first.
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
        // Nobody votes twice in an epoch, also if it is started again.
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
        // The others hear how far this one is.
        self.server.cluster.news.wish();
        noreply()
    }
}

impl Member {
    /// Connects to the nodes that are lost. It may take long, and the others do not wait.
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

    /// Whether the file has what this node knows.
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
