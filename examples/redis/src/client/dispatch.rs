//! Running or queueing a request that was admitted.

use super::requested::{Requested, wrong_number};
use super::scripts::is_script;
use super::transactions::select;
use super::{Client, Next, observed};
use crate::resp::Replies;
use crate::server::Server;

impl Client {
    pub(super) fn queue_or_run(
        &mut self,
        server: &Server,
        requested: Requested,
        words: &[&[u8]],
        replies: &mut Replies,
    ) -> Next {
        let arguments = &words[1..];
        match (requested, &mut self.queued) {
            (Requested::OfConnection(command), Some(_)) if command.is_never_queued => {
                let next = self.run(command.name, server, arguments, replies);
                self.monitored(server, words);
                next
            }
            (requested, Some(queued)) => {
                let owned = words.iter().map(|it| (*it).into()).collect();
                queued.commands.push((requested, owned));
                replies.simple("QUEUED");
                Next::Stays
            }
            (Requested::OfConnection(command), None) => {
                if !matches!(command.name, "monitor") {
                    self.monitored(server, words);
                }
                self.run(command.name, server, arguments, replies)
            }
            (Requested::OfStore(command), None) => {
                let now = self.now(server);
                self.waits = command.run(server, self.db, arguments, replies, now);
                self.monitored(server, words);
                match self.waits {
                    None => Next::Stays,
                    Some(_) => Next::Waits,
                }
            }
        }
    }

    /// Runs a command about the connection.
    pub(super) fn run(
        &mut self,
        name: &'static str,
        server: &Server,
        arguments: &[&[u8]],
        replies: &mut Replies,
    ) -> Next {
        match name {
            "ping" if self.is_subscriber() && !self.is_resp3 && arguments.len() < 2 => {
                replies.array(2);
                replies.bulk(b"pong");
                replies.bulk(arguments.first().unwrap_or(&b"".as_slice()));
            }
            "subscribe" | "psubscribe" | "ssubscribe" | "unsubscribe" | "punsubscribe"
            | "sunsubscribe" | "publish" | "spublish" | "pubsub" => {
                self.subscription(name, server, arguments, replies);
            }
            "ping" => match arguments {
                [] => replies.simple("PONG"),
                [text] => replies.bulk(text),
                _ => replies.error(wrong_number(name)),
            },
            "multi" | "exec" | "discard" | "watch" | "unwatch" => {
                self.transaction(name, server, arguments, replies);
            }
            "select" => match select(arguments[0]) {
                Ok(db) => {
                    self.db = db;
                    replies.ok();
                }
                Err(why) => replies.error(why),
            },
            "cluster" => self.cluster(server, arguments, replies),
            "migrate" => self.migrate(server, arguments, replies),
            "asking" | "readonly" | "readwrite" => self.asking(name, server, replies),
            "script" => self.script(server, arguments, replies),
            "function" => self.function(server, arguments, replies),
            name if is_script(name) => self.run_script(name, server, arguments, replies),
            "reset" => self.reset(server, replies),
            "hello" => self.hello(server, arguments, replies),
            "auth" => self.auth(server, arguments, replies),
            "acl" => self.acl(server, arguments, replies),
            "client" => return self.client(server, arguments, replies),
            "wait" => return self.wait_for_replicas(server, arguments, replies),
            "replicaof" | "slaveof" => self.replica_of(server, arguments, replies),
            "monitor" => self.monitor(server, replies),
            "save" => observed::save(server, replies),
            _ => {
                replies.ok();
                return Next::Leaves;
            }
        }
        Next::Stays
    }
}
