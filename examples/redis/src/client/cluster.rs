//! The command CLUSTER, and redirecting clients to the node that has their keys.

use std::borrow::Cow;

use super::meeting::meet;
use super::parts::{fail_over, forget, replicas, replicate, reset, set_epoch};
use super::requested::Requested;
use super::scripts::{declared, is_alone, is_script};
use super::slots::{change, keys_of_slot, set_slot};
use super::{Client, Queued};
use crate::cluster::{self, Map, Moving, slot_of};
use crate::resp::Replies;
use crate::server::Server;

/// Result of a subcommand: the error for the client, if it is refused.
pub(super) type Done = Result<(), Cow<'static, str>>;

const DISABLED: &str = "ERR This instance has cluster support disabled";
const CROSS_SLOT: &str = "CROSSSLOT Keys in request don't hash to the same slot";

fn keys<'a>(requested: Requested, arguments: &[&'a [u8]]) -> Vec<&'a [u8]> {
    match requested {
        Requested::OfStore(command) => command.keys(arguments),
        Requested::OfConnection(command) if is_script(command.name) => {
            declared(command.name, arguments).map_or(Vec::new(), |it| it.0.to_vec())
        }
        Requested::OfConnection(command) if command.name == "spublish" => vec![arguments[0]],
        Requested::OfConnection(command)
            if command.name == "watch" || is_of_shards(command.name) =>
        {
            arguments.to_vec()
        }
        Requested::OfConnection(_) => Vec::new(),
    }
}

/// Returns whether a command is about sharded channels. These do not move with their slot.
fn is_of_shards(name: &str) -> bool {
    matches!(name, "ssubscribe" | "sunsubscribe" | "spublish")
}

/// Returns whether a script must not use these keys, because another node has their slot. The
/// script holds locks, so this does not check whether the keys exist.
pub(super) fn is_elsewhere(server: &Server, requested: Requested, arguments: &[&[u8]]) -> bool {
    let map = server.cluster.map();
    let is_here = |slot: usize| {
        let Some(map) = map.as_ref() else { return true };
        map.is_here(slot) || matches!(map.moving.get(&slot), Some(Moving::From(_)))
    };
    let keys = keys(requested, arguments);
    keys.iter().any(|key| !is_here(slot_of(key)))
}

/// Returns the slot of a command's first key.
pub(super) fn slot_of_request(requested: Requested, arguments: &[&[u8]]) -> Option<usize> {
    keys(requested, arguments).first().map(|key| slot_of(key))
}

impl Queued {
    fn keys(&self) -> Vec<&[u8]> {
        let each = self.commands.iter().flat_map(|(requested, words)| {
            let words: Vec<&[u8]> = words.iter().map(|it| &**it).collect();
            keys(*requested, &words[1..])
        });
        each.collect()
    }
}

impl Client {
    /// Returns the redirection or the error for a request that this node does not serve.
    pub(super) fn redirected(
        &mut self,
        server: &Server,
        requested: Requested,
        arguments: &[&[u8]],
    ) -> Option<String> {
        let name = requested.name();
        let is_asking = std::mem::take(&mut self.is_asking) || name == "restore-asking";
        let is_other_db = name == "select" && *arguments[0] != *b"0";
        if is_other_db || matches!(name, "swapdb" | "move") {
            let name = name.to_ascii_uppercase();
            return Some(format!("ERR {name} is not allowed in cluster mode"));
        }
        let keys = match (&self.queued, name) {
            (Some(queued), "exec") => queued.keys(),
            _ => keys(requested, arguments),
        };
        let slot = slot_of(keys.first()?);
        if keys.iter().any(|key| slot_of(key) != slot) {
            return Some(CROSS_SLOT.to_owned());
        }
        let map = server.cluster.map();
        let map = map.as_ref()?;
        // To serve a slot, this node must be sure that no other one has taken it over, and must be
        // a master in the replication as well.
        let serves = || server.cluster.serves() && !server.store.follows();
        if map.is_mine(slot) && !serves() {
            return Some("CLUSTERDOWN The cluster is down".to_owned());
        }
        let here = || self.count_here(server, &keys);
        let again = || Some("TRYAGAIN Multiple keys request during rehashing of slot".to_owned());
        let is_of_shards = is_of_shards(name);
        let is_read = self.reads_replicas && !self.writes();
        match map.moving.get(&slot).filter(|_| !is_of_shards) {
            Some(Moving::To(id)) if map.is_mine(slot) && name != "migrate" => match here() {
                count if count == keys.len() => None,
                0 => map
                    .find(id)
                    .map(|(_, it)| format!("ASK {slot} 127.0.0.1:{}", it.port)),
                _ => again(),
            },
            Some(Moving::From(_)) if is_asking => match keys.len() {
                1 => None,
                count if count == here() => None,
                _ => again(),
            },
            _ if map.is_mine(slot) => None,
            _ if map.is_copied(slot) && (is_read || is_of_shards) => None,
            _ => Some(match map.owner(slot) {
                Some(peer) => format!("MOVED {slot} 127.0.0.1:{}", peer.port),
                None => "CLUSTERDOWN Hash slot not served".to_owned(),
            }),
        }
    }

    /// Returns how many of the keys exist on this node.
    fn count_here(&self, server: &Server, keys: &[&[u8]]) -> usize {
        let is_here = |key: &&&[u8]| {
            let mut locked = server.store.one(self.db, key, server.now());
            locked.keys(key).contains(key)
        };
        keys.iter().filter(is_here).count()
    }

    pub(super) fn asking(&mut self, name: &str, server: &Server, replies: &mut Replies) {
        if !server.cluster.is_enabled() {
            return replies.error(DISABLED);
        }
        match name {
            "asking" => self.is_asking = true,
            _ => self.reads_replicas = name == "readonly",
        }
        replies.ok();
    }

    pub(super) fn cluster(&mut self, server: &Server, arguments: &[&[u8]], replies: &mut Replies) {
        let what = self.command.split_once('|').map_or("", |it| it.1);
        if what == "help" {
            return crate::commands::help("cluster", replies);
        }
        if !server.cluster.is_enabled() {
            return replies.error(DISABLED);
        }
        let (rest, begin) = (&arguments[1..], replies.bytes.len());
        let done = match what {
            "handshake" => self.handshake(server, rest, replies),
            "meet" => meet(server, rest).map(|()| replies.ok()),
            _ => with_map(server, what, rest, replies),
        };
        let is_change = is_alone(self.command);
        let saved = done.and_then(|()| match is_change.then(|| server.cluster.save()) {
            Some(Err(error)) => {
                Err(format!("ERR error saving the cluster node config: {error}").into())
            }
            Some(Ok(())) | None => Ok(()),
        });
        if let Err(why) = saved {
            replies.bytes.truncate(begin);
            replies.error(why);
        }
        if is_change {
            server.cluster.news.wish();
        }
    }
}

/// Runs the subcommands that read or change the map.
fn with_map(server: &Server, what: &str, rest: &[&[u8]], replies: &mut Replies) -> Done {
    let mut map = server.cluster.map();
    let Some(map) = map.as_mut() else {
        return Err(DISABLED.into());
    };
    match what {
        "myid" | "nodes" | "info" | "slots" | "shards" | "keyslot" => {
            tell(map, server, what, rest, replies);
            return Ok(());
        }
        "replicas" | "slaves" => return replicas(map, rest, replies),
        "countkeysinslot" | "getkeysinslot" => return keys_of_slot(server, rest, replies),
        "bumpepoch" => {
            let word = if map.bump() { "BUMPED" } else { "STILL" };
            replies.simple(&format!("{word} {}", map.peers[0].epoch));
            return Ok(());
        }
        "replicate" => replicate(map, server, rest)?,
        "failover" => fail_over(map, server, rest)?,
        "forget" => forget(map, server, rest)?,
        "reset" => reset(map, server, rest)?,
        "set-config-epoch" => set_epoch(map, rest)?,
        "setslot" => set_slot(map, server, rest)?,
        "saveconfig" => {}
        _ => change(map, server, what, rest)?,
    }
    replies.ok();
    Ok(())
}

fn tell(map: &Map, server: &Server, what: &str, rest: &[&[u8]], replies: &mut Replies) {
    match what {
        "myid" => replies.bulk(map.peers[0].id.as_bytes()),
        "nodes" => replies.verbatim(cluster::nodes(map).as_bytes()),
        "info" => replies.verbatim(cluster::info(map, server.cluster.serves()).as_bytes()),
        "slots" => cluster::slots(map, replies),
        "shards" => cluster::shards(map, &server.store, replies),
        _ => replies.count(slot_of(rest[0])),
    }
}
