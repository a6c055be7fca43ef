//! SUBSCRIBE, PUBLISH and their kin.

use std::sync::Arc;

use super::Client;
use crate::resp::Replies;
use crate::server::Server;

impl Client {
    /// Whether it has subscribed to something.
    pub(super) fn is_subscriber(&self) -> bool {
        self.channels.len() + self.patterns.len() > 0
    }

    pub(super) fn subscription(
        &mut self,
        name: &str,
        server: &Server,
        arguments: &[&[u8]],
        replies: &mut Replies,
    ) {
        match name {
            "subscribe" => self.subscribe(server, arguments, false, replies),
            "psubscribe" => self.subscribe(server, arguments, true, replies),
            "unsubscribe" => self.unsubscribe(server, arguments, false, replies),
            "punsubscribe" => self.unsubscribe(server, arguments, true, replies),
            "publish" => {
                let count = server.hub.publish(arguments[0], arguments[1]);
                self.own_messages(replies);
                replies.count(count);
            }
            _ => pubsub(server, arguments, replies),
        }
    }

    /// What a client publishes to itself comes before the reply.
    fn own_messages(&self, replies: &mut Replies) {
        let own = self.outbox.as_ref().and_then(|outbox| outbox.take());
        replies.bytes.extend_from_slice(&own.unwrap_or_default());
    }

    fn names(&mut self, is_pattern: bool) -> &mut Vec<Box<[u8]>> {
        match is_pattern {
            true => &mut self.patterns,
            false => &mut self.channels,
        }
    }

    fn subscribe(
        &mut self,
        server: &Server,
        names: &[&[u8]],
        is_pattern: bool,
        replies: &mut Replies,
    ) {
        let outbox = Arc::clone(self.outbox());
        for name in names {
            if !self.names(is_pattern).iter().any(|it| **it == **name) {
                self.names(is_pattern).push((*name).into());
                server.hub.subscribe(name, is_pattern, &outbox);
            }
            let word: &[u8] = if is_pattern {
                b"psubscribe"
            } else {
                b"subscribe"
            };
            self.confirm(word, Some(name), replies);
        }
    }

    fn unsubscribe(
        &mut self,
        server: &Server,
        names: &[&[u8]],
        is_pattern: bool,
        replies: &mut Replies,
    ) {
        let word: &[u8] = if is_pattern {
            b"punsubscribe"
        } else {
            b"unsubscribe"
        };
        let names: Vec<Box<[u8]>> = match names {
            [] => self.names(is_pattern).clone(),
            _ => names.iter().map(|name| (*name).into()).collect(),
        };
        if names.is_empty() {
            self.confirm(word, None, replies);
        }
        for name in names {
            self.names(is_pattern).retain(|it| *it != name);
            if let Some(outbox) = &self.outbox {
                server.hub.unsubscribe(&name, is_pattern, outbox);
            }
            self.confirm(word, Some(&name), replies);
        }
    }

    fn confirm(&self, word: &[u8], name: Option<&[u8]>, replies: &mut Replies) {
        replies.push(3);
        replies.bulk(word);
        replies.maybe(name);
        replies.count(self.channels.len() + self.patterns.len());
    }
}

fn pubsub(server: &Server, arguments: &[&[u8]], replies: &mut Replies) {
    let (what, rest) = (arguments[0].to_ascii_lowercase(), &arguments[1..]);
    match (what.as_slice(), rest) {
        (b"channels", [] | [_]) => {
            let pattern: &[u8] = rest.first().copied().unwrap_or(b"*");
            let names = server.hub.channels(pattern);
            replies.array(names.len());
            names.iter().for_each(|name| replies.bulk(name));
        }
        (b"numsub", names) => {
            replies.array(2 * names.len());
            for name in names {
                replies.bulk(name);
                replies.count(server.hub.count(name));
            }
        }
        (b"numpat", []) => replies.count(server.hub.patterns()),
        _ => replies.error(format_args!(
            "ERR unknown subcommand '{}'. Try PUBSUB HELP.",
            String::from_utf8_lossy(arguments[0])
        )),
    }
}
