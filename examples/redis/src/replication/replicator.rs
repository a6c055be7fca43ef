//! The process through which replicas and masters communicate.

use std::sync::atomic::Ordering;
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::{NodeDown, NodeUp};
use otp_bridge::pg::Group;
use otp_bridge::process::Nodes;
use otp_bridge::term::Shared;
use otp_bridge::{Atom, Pid};

use super::messages::{Acknowledged, Changes, Continues, Copied, Follow, Left, Lost};
use super::receiving::{Failed, load, repeat};
use super::sending::send;
use super::{Link, since};
use crate::client::Client;
use crate::server::Server as Redis;
use crate::store::now;

/// Interval at which a replica reports its progress, and checks the link to its master.
const AGAIN: Duration = Duration::from_secs(1);
/// A replica repeats its request to a master that has not answered for this many milliseconds.
const PATIENCE: u64 = 10_000;

/// The process, one for each node.
#[derive(Debug)]
pub struct Replicator {
    server: Shared<Redis>,
    from: Option<From>,
}

/// The transfer from a master.
#[derive(Debug)]
struct From {
    master: Server<Replicator>,
    asked: u64,
    id: String,
    offset: u64,
    /// Length of the whole copy in bytes, and the part that has arrived.
    size: u64,
    copy: Vec<u8>,
    copied: u64,
    /// The client that repeats the master's commands.
    client: Client,
    /// Whether the master was told that this replica follows it no longer.
    is_left: bool,
}

/// Time to check what has to be done.
#[derive(Debug, Clone, Term)]
pub struct Look;

fn everybody() -> Group<Replicator> {
    Group::new("redis_replication")
}

#[gen_server]
impl GenServer for Replicator {
    /// The state shared with the reactors, and the port of the initial master.
    type Args = (Shared<Redis>, Option<u16>);

    async fn init(
        (server, port): (Shared<Redis>, Option<u16>),
        cx: &Cx<'_>,
    ) -> Result<impl InitReturn<Self>> {
        let node = cx.node().await?.text().to_owned();
        let is_first = server.replication.begin(node);
        match port.filter(|_| is_first) {
            Some(port) => server.follow(super::Master {
                node: String::new(),
                port,
            }),
            // After a restart of this process, it is unknown which changes were being applied.
            None => server.replication.lose_all(),
        }
        everybody().join(cx).await?;
        cx.monitor_nodes(true);
        cx.send_interval(AGAIN, Look);
        let of_news = server.clone();
        cx.spawn_task::<(), _>(async move |cx| {
            loop {
                of_news.replication.news.wished().await;
                cx.send(&cx.pid(), Look);
            }
        })
        .linked();
        Ok((ok, Replicator { server, from: None }))
    }

    async fn handle_info(&mut self, _: Look, cx: &Cx<'_>) -> Result<HandleInfo> {
        self.leave(cx);
        let lost = self.server.replication.lost_node();
        match self.next(cx.pid()) {
            Next::Ask(follow) => {
                if let Some(node) = lost {
                    cx.connect(node).await?;
                }
                everybody().cast(cx, *follow).await?;
            }
            Next::Acknowledge => self.acknowledge(cx),
            Next::Nothing => {}
        }
        noreply()
    }

    fn handle_cast(&mut self, follow: Follow, cx: &Cx<'_>) -> HandleCast {
        let number = fastrand::u64(..);
        if self.is_meant(&follow) && self.server.replication.add(&follow, number) {
            let server = self.server.clone();
            cx.spawn_task::<(), _>(async move |cx| send(cx, server, follow, number).await);
        }
        noreply()
    }

    fn handle_cast(&mut self, it: Continues, cx: &Cx<'_>) -> HandleCast {
        let mut known = self.server.replication.known();
        if it.asked != known.asked || !matches!(known.link, Link::Asked(_)) {
            drop(known);
            return noreply();
        }
        // The selected database continues, so the client is kept unless a copy comes first.
        let before = self.from.take().filter(|_| it.copy == 0);
        let client = before.map_or_else(Client::repeating, |it| it.client);
        known.heard = now();
        known.linked = Some(it.node);
        known.link = match it.copy {
            0 => Link::Up,
            _ => Link::Copying,
        };
        if it.copy == 0 && known.id != it.id {
            let before = std::mem::replace(&mut known.id, it.id.clone());
            known.before = Some((before, it.offset));
        }
        known.is_whole |= it.copy == 0;
        drop(known);
        self.from = Some(From {
            master: it.from,
            asked: it.asked,
            id: it.id,
            offset: it.offset,
            size: it.copy,
            copy: Vec::new(),
            copied: 0,
            client,
            is_left: false,
        });
        self.acknowledge(cx);
        noreply()
    }

    async fn handle_cast(&mut self, it: Copied, cx: &Cx<'_>) -> Result<HandleCast> {
        let Replicator { server, from } = self;
        let Some(from) = from.as_mut().filter(|from| from.asked == it.asked) else {
            return noreply();
        };
        from.copy.extend_from_slice(&it.bytes);
        from.copied += u64::try_from(it.bytes.len()).unwrap_or(u64::MAX);
        if from.copied == from.size {
            let copy = std::mem::take(&mut from.copy);
            let at = (&*from.id, from.offset);
            let done = cx.blocking(|| load(server, it.asked, &copy, at)).await;
            if done.is_ok() {
                server.replication.known().link = Link::Up;
                // The files still have the old keys.
                server.rewrite.wish();
            }
            self.judge(done);
        }
        self.acknowledge(cx);
        noreply()
    }

    async fn handle_cast(&mut self, it: Changes, cx: &Cx<'_>) -> Result<HandleCast> {
        let Replicator { server, from } = self;
        let Some(from) = from.as_mut().filter(|from| from.asked == it.asked) else {
            return noreply();
        };
        server.replication.known().heard = now();
        if server.store.backlog.end() != it.offset {
            // The master has started a new transfer after a lost connection. The keys here are
            // still the beginning of its history.
            server.replication.lose();
            return noreply();
        }
        let client = &mut from.client;
        let done = cx
            .blocking(|| repeat(server, client, it.asked, &it.bytes))
            .await;
        self.judge(done);
        self.acknowledge(cx);
        noreply()
    }

    fn handle_cast(&mut self, it: Acknowledged, cx: &Cx<'_>) -> HandleCast {
        let replication = &self.server.replication;
        if !replication.hear(&it.node, it.asked, it.copied, it.offset) {
            cx.cast(&it.from, Lost { asked: it.asked });
        }
        noreply()
    }

    fn handle_cast(&mut self, it: Left) -> HandleCast {
        self.server.replication.leave(&it.node, it.asked);
        noreply()
    }

    fn handle_cast(&mut self, it: Lost) -> HandleCast {
        if self.server.replication.known().asked == it.asked {
            self.server.replication.lose();
        }
        noreply()
    }

    fn handle_info(&mut self, _: NodeUp) -> HandleInfo {
        self.server.replication.news.wish();
        noreply()
    }

    fn handle_info(&mut self, NodeDown { node }: NodeDown) -> HandleInfo {
        let name = node.text().to_owned();
        self.server.replication.forget(&name);
        let known = self.server.replication.known();
        let is_master = known.master.is_some() && known.linked.as_ref() == Some(&node);
        drop(known);
        if is_master {
            self.server.replication.lose();
        }
        noreply()
    }
}

enum Next {
    Ask(Box<Follow>),
    Acknowledge,
    Nothing,
}

impl Replicator {
    /// Returns the next action.
    fn next(&self, pid: Pid) -> Next {
        let mut known = self.server.replication.known();
        let Some(master) = known.master.clone() else {
            return Next::Nothing;
        };
        match known.link {
            Link::Up | Link::Copying => return Next::Acknowledge,
            Link::Asked(then) if since(then) < PATIENCE => {}
            Link::Asked(_) | Link::Down => {
                known.asked += 1;
                known.link = Link::Asked(now());
            }
        }
        Next::Ask(Box::new(Follow {
            from: Server::from(pid),
            node: known.node.clone(),
            port: self.server.port.load(Ordering::Relaxed),
            to_node: master.node,
            to_port: master.port,
            asked: known.asked,
            id: known.id.clone(),
            offset: self.server.store.backlog.end(),
        }))
    }

    fn is_meant(&self, follow: &Follow) -> bool {
        let known = self.server.replication.known();
        let is_port = follow.to_port == self.server.port.load(Ordering::Relaxed);
        let is_node = follow.to_node == known.node;
        follow.node != known.node && (is_node || follow.to_node.is_empty() && is_port)
    }

    /// Tells the previous master that this replica follows it no longer.
    fn leave(&mut self, cx: &Cx<'_>) {
        let known = self.server.replication.known();
        let (asked, node) = (known.asked, known.node.clone());
        drop(known);
        if let Some(from) = self.from.as_mut()
            && from.asked != asked
            && !std::mem::replace(&mut from.is_left, true)
        {
            let asked = from.asked;
            cx.cast(&from.master, Left { node, asked });
        }
    }

    fn acknowledge(&self, cx: &Cx<'_>) {
        let known = self.server.replication.known();
        let Some(from) = self.from.as_ref().filter(|it| it.asked == known.asked) else {
            return;
        };
        let message = Acknowledged {
            from: Server::from(cx.pid()),
            node: known.node.clone(),
            asked: from.asked,
            copied: from.copied,
            offset: (known.link == Link::Up).then(|| self.server.store.backlog.end()),
        };
        drop(known);
        cx.cast(&from.master, message);
    }

    fn judge(&mut self, done: std::result::Result<(), Failed>) {
        if let Err(Failed::Broken(why)) = done {
            println!("a replica is not as its master, and asks for a copy: {why}");
            self.from = None;
            self.server.replication.lose_all();
        }
    }
}

impl super::Replication {
    /// Records that the process has started, on the node with this name. Returns whether this is
    /// the first start.
    fn begin(&self, node: String) -> bool {
        let mut known = self.known();
        known.node = node;
        known.replicas.clear();
        known.asked == 0
    }

    /// Returns the master's node if the link has to be established again.
    fn lost_node(&self) -> Option<Atom> {
        let known = self.known();
        known.linked.clone().filter(|_| known.link == Link::Down)
    }

    /// Gives up the history: the present keys are not the beginning of any.
    fn lose_all(&self) {
        let mut known = self.known();
        if known.master.is_some() {
            known.id = super::new_id();
            known.before = None;
        }
        drop(known);
        self.lose();
    }
}
