//! The commands SUBSCRIBE, PUBLISH and their variants.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::Client;
use crate::cluster::slot_of;
use crate::hub::{Kind, Outbox};
use crate::resp::Replies;
use crate::server::Server;

impl Client {
    /// Returns the client's queue of messages, which is created if necessary.
    pub(super) fn outbox(&mut self) -> &Arc<Outbox> {
        let (session, is_resp3) = (&self.session, self.is_resp3);
        let outbox = self
            .outbox
            .get_or_insert_with(|| Arc::new(Outbox::of(session)));
        outbox.is_resp3.store(is_resp3, Ordering::Relaxed);
        outbox
    }

    /// Returns whether the client has any subscriptions.
    pub(super) fn is_subscriber(&self) -> bool {
        self.channels.len() + self.patterns.len() + self.shards() > 0
    }

    /// Returns the number of subscriptions to sharded channels.
    pub(super) fn shards(&self) -> usize {
        self.outbox.as_ref().map_or(0, |it| it.shards().len())
    }

    pub(super) fn subscription(
        &mut self,
        name: &'static str,
        server: &Server,
        arguments: &[&[u8]],
        replies: &mut Replies,
    ) {
        let kind = match name.as_bytes()[0] {
            b'p' => Kind::Pattern,
            b's' if name != "subscribe" => Kind::Shard,
            _ => Kind::Channel,
        };
        match name {
            "subscribe" | "psubscribe" | "ssubscribe" => {
                self.subscribe(server, (name, kind), arguments, replies);
            }
            "unsubscribe" | "punsubscribe" | "sunsubscribe" => {
                self.unsubscribe(server, (name, kind), arguments, replies);
            }
            "publish" | "spublish" => {
                let kind = if name == "publish" {
                    Kind::Channel
                } else {
                    Kind::Shard
                };
                let count = server.hub.publish(kind, arguments[0], arguments[1]);
                server.outgoing.put(kind, arguments[0], arguments[1]);
                self.own_messages(replies);
                replies.count(count);
            }
            _ => pubsub(server, arguments, replies),
        }
    }

    /// Messages that a client publishes to itself come before the reply.
    fn own_messages(&mut self, replies: &mut Replies) {
        let own = self.outbox.as_ref().and_then(|outbox| outbox.take());
        replies.bytes.extend_from_slice(&own.unwrap_or_default());
        if let Some(outbox) = &self.outbox {
            outbox.sent();
        }
        self.pushed = replies.bytes.len();
    }

    /// Calls a function with the names of the client's subscriptions.
    fn names<T>(&mut self, kind: Kind, work: impl FnOnce(&mut Vec<Box<[u8]>>) -> T) -> T {
        match kind {
            Kind::Channel => work(&mut self.channels),
            Kind::Pattern => work(&mut self.patterns),
            Kind::Shard => work(&mut self.outbox().shards()),
        }
    }

    fn subscribe(
        &mut self,
        server: &Server,
        (word, kind): (&str, Kind),
        names: &[&[u8]],
        replies: &mut Replies,
    ) {
        let outbox = Arc::clone(self.outbox());
        for name in names {
            let is_new = self.names(kind, |names| {
                let is_new = !names.iter().any(|it| **it == **name);
                names.extend(is_new.then(|| (*name).into()));
                is_new
            });
            if is_new {
                server.hub.subscribe(name, kind, &outbox);
            }
            self.confirm((word, kind), Some(name), replies);
        }
        // The slot may have moved before this subscription was registered.
        let is_elsewhere = |name: &[u8]| server.cluster.is_elsewhere(slot_of(name));
        if kind == Kind::Shard && is_elsewhere(names[0]) {
            server.leave_shards();
        }
    }

    fn unsubscribe(
        &mut self,
        server: &Server,
        (word, kind): (&str, Kind),
        names: &[&[u8]],
        replies: &mut Replies,
    ) {
        let names: Vec<Box<[u8]>> = match names {
            [] => self.names(kind, |names| names.clone()),
            _ => names.iter().map(|name| (*name).into()).collect(),
        };
        if names.is_empty() {
            self.confirm((word, kind), None, replies);
        }
        for name in names {
            self.names(kind, |names| names.retain(|it| *it != name));
            if let Some(outbox) = &self.outbox {
                server.hub.unsubscribe(&name, kind, outbox);
            }
            self.confirm((word, kind), Some(&name), replies);
        }
    }

    fn confirm(&mut self, (word, kind): (&str, Kind), name: Option<&[u8]>, replies: &mut Replies) {
        replies.push(3);
        replies.bulk(word.as_bytes());
        replies.maybe(name);
        replies.count(match kind {
            Kind::Shard => self.shards(),
            _ => self.channels.len() + self.patterns.len(),
        });
        self.pushed = replies.bytes.len();
    }
}

fn pubsub(server: &Server, arguments: &[&[u8]], replies: &mut Replies) {
    let (what, rest) = (arguments[0].to_ascii_lowercase(), &arguments[1..]);
    let kind = match what.starts_with(b"shard") {
        true => Kind::Shard,
        false => Kind::Channel,
    };
    match (what.as_slice(), rest) {
        (b"channels" | b"shardchannels", [] | [_]) => {
            let pattern: &[u8] = rest.first().copied().unwrap_or(b"*");
            let names = server.hub.channels(kind, pattern);
            replies.array(names.len());
            names.iter().for_each(|name| replies.bulk(name));
        }
        (b"numsub" | b"shardnumsub", names) => {
            replies.array(2 * names.len());
            for name in names {
                replies.bulk(name);
                replies.count(server.hub.count(kind, name));
            }
        }
        (b"numpat", []) => replies.count(server.hub.patterns()),
        _ => crate::commands::help("pubsub", replies),
    }
}
