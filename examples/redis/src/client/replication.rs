//! The commands of replication, REPLICAOF and WAIT, and refusing commands that only a master may
//! run.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::{Client, Next, Queued};
use crate::commands::facts;
use crate::replication::Master;
use crate::resp::{Replies, number};
use crate::server::Server;

const READ_ONLY: &str = "READONLY You can't write against a read only replica.";

/// The replicas that a client waits for, until they have received all changes before this moment.
#[derive(Debug, Clone, Copy)]
pub struct AwaitedReplicas {
    /// Number of replicas.
    pub count: usize,
    /// The offset that they have to reach.
    pub offset: u64,
    /// How long the client waits; `None` means for ever.
    pub time: Option<Duration>,
}

impl Client {
    /// Creates the client with which a replica repeats its master's commands.
    #[must_use]
    pub fn repeating() -> Self {
        Client {
            is_repeating: true,
            ..Client::default()
        }
    }

    /// Returns whether the request, or a command that EXEC would run, changes keys.
    pub(super) fn writes(&self) -> bool {
        let has_writes = |queued: &Queued| {
            let mut commands = queued.commands.iter();
            commands.any(|(_, words)| {
                let words: Vec<&[u8]> = words.iter().take(2).map(|it| &**it).collect();
                let fact = facts().of_request(&words);
                fact.is_some_and(|it| it.1.has("write"))
            })
        };
        let fact = facts().find(self.command);
        fact.is_some_and(|it| it.1.has("write"))
            || (self.command == "exec" && self.queued.as_ref().is_some_and(has_writes))
    }

    /// Returns the error if a replica does not run this request.
    pub(super) fn unfit(&self, server: &Server) -> Option<&'static str> {
        (server.store.follows() && self.writes()).then_some(READ_ONLY)
    }

    pub(super) fn replica_of(&self, server: &Server, words: &[&[u8]], replies: &mut Replies) {
        match follow(server, words) {
            Ok(reply) => replies.simple(reply),
            Err(why) => replies.error(why),
        }
    }

    /// Runs WAIT. Within a transaction, it does not wait.
    pub(super) fn wait_for_replicas(
        &mut self,
        server: &Server,
        words: &[&[u8]],
        replies: &mut Replies,
    ) -> Next {
        if server.store.follows() {
            replies.error(
                "ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a replica is configured to \
                 be writable (which is not the default) writes to replicas are just local and are not propagated.",
            );
            return Next::Stays;
        }
        let (count, time) = match awaited(words) {
            Ok(awaited) => awaited,
            Err(why) => {
                replies.error(why);
                return Next::Stays;
            }
        };
        let offset = server.store.backlog.end();
        let has = server.replication.count(offset);
        if has >= count || self.is_executing {
            replies.count(has);
            return Next::Stays;
        }
        self.replicas = Some(AwaitedReplicas {
            count,
            offset,
            time: (!time.is_zero()).then_some(time),
        });
        Next::Waits
    }
}

fn awaited(words: &[&[u8]]) -> Result<(usize, Duration), &'static str> {
    let count = number(words[0]).ok_or("ERR value is not an integer or out of range")?;
    let time = number(words[1]).ok_or("ERR timeout is not an integer or out of range")?;
    let time = u64::try_from(time).map_err(|_| "ERR timeout is negative")?;
    Ok((
        usize::try_from(count).unwrap_or(0),
        Duration::from_millis(time),
    ))
}

fn follow(server: &Server, words: &[&[u8]]) -> Result<&'static str, &'static str> {
    if server.cluster.is_enabled() {
        return Err("ERR REPLICAOF not allowed in cluster mode.");
    }
    let (host, port) = (words[0].to_ascii_lowercase(), words[1]);
    if host == b"no" && port.eq_ignore_ascii_case(b"one") {
        server.lead();
        return Ok("OK");
    }
    let port = number(port).ok_or("ERR value is not an integer or out of range")?;
    let port = u16::try_from(port).map_err(|_| "ERR Invalid master port")?;
    if !matches!(&*host, b"127.0.0.1" | b"localhost") {
        return Err("ERR here masters are servers of this kind at 127.0.0.1");
    }
    if !server.replication.is_reachable() {
        return Err(
            "ERR replicas need Erlang's distribution: start this server with --name and --connect",
        );
    }
    if server.port.load(Ordering::Relaxed) == port {
        return Err("ERR a server cannot follow itself");
    }
    let known = server.replication.known().master.clone();
    if known.is_some_and(|it| it.port == port) {
        return Ok("OK Already connected to specified master");
    }
    server.follow(Master {
        node: String::new(),
        port,
    });
    Ok("OK")
}
