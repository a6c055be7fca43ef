//! Forwards published messages to the clients of other nodes.
//!
//! ```text
//! PUBLISH ──> Hub (the clients of this node)
//!         └─> Outgoing ── Herald ══ Published, by Erlang's distribution ══> Heralds of other nodes ──> their Hubs
//! ```
//!
//! Messages go to all nodes, and each node decides what it accepts. In a cluster, a node accepts
//! all messages, except those of a sharded channel: these only matter to the nodes that have the
//! slot, or are replicas of the node with the slot. Without a cluster, a replica accepts the
//! messages of its master, and forwards them to its own replicas. Messages are lost while two nodes
//! are disconnected, as in Redis.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::pg::Group;
use otp_bridge::term::Shared;

use crate::cluster::{SLOTS, slot_of};
use crate::hub::Kind;
use crate::persistence::Wish;
use crate::server::Server as Redis;

/// Maximum number of bytes of messages that wait to be sent. Messages beyond that are dropped.
const MOST: usize = 32 << 20;
/// Approximate number of bytes that are sent at once.
const PIECE: usize = 256 << 10;

/// A published message.
#[derive(Debug, Clone, Term)]
pub struct Message {
    is_of_shard: bool,
    channel: bytes::Bytes,
    text: bytes::Bytes,
}

impl Message {
    fn size(&self) -> usize {
        self.channel.len() + self.text.len() + size_of::<Self>()
    }

    fn kind(&self) -> Kind {
        match self.is_of_shard {
            true => Kind::Shard,
            false => Kind::Channel,
        }
    }
}

/// Messages of this node's clients that are not sent yet.
#[derive(Debug, Default)]
pub struct Outgoing {
    /// Whether there may be other nodes.
    is_on: AtomicBool,
    waiting: Mutex<Waiting>,
    news: Wish,
}

#[derive(Debug, Default)]
struct Waiting {
    messages: Vec<Message>,
    bytes: usize,
    /// Whether the loss of messages was already reported.
    is_full: bool,
}

impl Outgoing {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a message for other nodes, if there may be any.
    pub fn put(&self, kind: Kind, channel: &[u8], text: &[u8]) {
        if self.is_on.load(Ordering::Relaxed) {
            self.add(Message {
                is_of_shard: kind == Kind::Shard,
                channel: bytes::Bytes::copy_from_slice(channel),
                text: bytes::Bytes::copy_from_slice(text),
            });
        }
    }

    fn add(&self, message: Message) {
        let mut waiting = self.waiting();
        let size = message.size();
        if waiting.bytes + size > MOST {
            if !std::mem::replace(&mut waiting.is_full, true) {
                println!("other nodes do not take so many messages: some are not sent to them");
            }
            return;
        }
        waiting.bytes += size;
        waiting.messages.push(message);
        drop(waiting);
        self.news.wish();
    }

    /// Takes the waiting messages, in parts that are sent one after the other.
    fn take(&self) -> Vec<Vec<Message>> {
        let waiting = std::mem::take(&mut *self.waiting());
        let mut parts: Vec<Vec<Message>> = Vec::new();
        let mut size = 0;
        for message in waiting.messages {
            let of_message = message.size();
            match parts.last_mut().filter(|_| size < PIECE) {
                Some(part) => part.push(message),
                None => {
                    parts.push(vec![message]);
                    size = 0;
                }
            }
            size += of_message;
        }
        parts
    }
}

/// `{published, From, Messages}`
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct Published {
    /// Name of the sending node.
    from: String,
    messages: Vec<Message>,
}

/// The process that sends and receives messages, one for each node.
#[derive(Debug)]
pub struct Herald {
    server: Shared<Redis>,
    node: String,
}

fn heralds() -> Group<Herald> {
    Group::new("redis_channels")
}

#[gen_server]
impl GenServer for Herald {
    /// The state shared with the reactors.
    type Args = Shared<Redis>;

    async fn init(server: Shared<Redis>, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        heralds().join(cx).await?;
        let node = cx.node().await?.text().to_owned();
        server
            .outgoing
            .is_on
            .store(server.replication.is_reachable(), Ordering::Relaxed);
        let (of_news, from) = (server.clone(), node.clone());
        cx.spawn_task::<(), _>(async move |cx| {
            loop {
                of_news.outgoing.news.wished().await;
                for messages in of_news.outgoing.take() {
                    let from = from.clone();
                    heralds().cast(cx, Published { from, messages }).await?;
                }
            }
        })
        .linked();
        Ok((ok, Herald { server, node }))
    }

    fn handle_cast(&mut self, published: Published) -> HandleCast {
        if published.from != self.node {
            let messages = published.messages.into_iter();
            messages.for_each(|it| self.server.hear(&published.from, it));
        }
        noreply()
    }
}

impl Redis {
    /// Unsubscribes clients from sharded channels whose slots have moved away, and tells them.
    pub fn leave_shards(&self) {
        let here = self
            .cluster
            .with(|map| (0..SLOTS).map(|it| map.is_here(it)).collect());
        let here: Vec<bool> = here.unwrap_or_default();
        self.hub
            .leave(|name| here.get(slot_of(name)) == Some(&false));
    }

    /// Handles a message from another node.
    fn hear(&self, from: &str, message: Message) {
        let kind = message.kind();
        let of_cluster = self.cluster.with(|map| match kind {
            _ if !map.peers[1..].iter().any(|it| it.node == from) => false,
            Kind::Shard => map.is_here(slot_of(&message.channel)),
            _ => true,
        });
        let takes = of_cluster.unwrap_or_else(|| self.replication.is_master(from));
        if takes {
            self.hub.publish(kind, &message.channel, &message.text);
            // This server's replicas have not accepted the message, because they only listen to
            // this server.
            if of_cluster.is_none() {
                self.outgoing.add(message);
            }
        }
    }
}
