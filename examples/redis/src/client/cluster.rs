//! CLUSTER, and where a client is sent whose keys another node has.

use super::parts::{fail_over, forget, meet, replicas, replicate};
use super::requested::Requested;
use super::scripts::{declared, is_script};
use super::{Client, Queued};
use crate::cluster::{self, Map, Moving, SLOTS, slot_of};
use crate::resp::{Replies, number};
use crate::server::Server;

const DISABLED: &str = "ERR This instance has cluster support disabled";
const CROSS_SLOT: &str = "CROSSSLOT Keys in request don't hash to the same slot";
const BAD_SLOT: &str = "ERR Invalid or out of range slot";

fn keys<'a>(requested: Requested, arguments: &[&'a [u8]]) -> Vec<&'a [u8]> {
    match requested {
        Requested::OfStore(command) => command.keys(arguments),
        Requested::OfConnection(command) if is_script(command.name) => {
            declared(arguments).map_or(Vec::new(), |it| it.0.to_vec())
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

/// Whether a command is about channels that belong to slots. Nothing of them moves with a slot.
fn is_of_shards(name: &str) -> bool {
    matches!(name, "ssubscribe" | "sunsubscribe" | "spublish")
}

/// Whether a script may not use these keys. It has locked others, so it is not asked whether these
/// are there.
pub(super) fn is_elsewhere(server: &Server, requested: Requested, arguments: &[&[u8]]) -> bool {
    let map = server.cluster.map();
    let is_here = |slot: usize| {
        let Some(map) = map.as_ref() else { return true };
        map.is_here(slot) || matches!(map.moving.get(&slot), Some(Moving::From(_)))
    };
    let keys = keys(requested, arguments);
    keys.iter().any(|key| !is_here(slot_of(key)))
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
    /// Why a request is not for this node, if it is not.
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
        // Nobody else may have it, and this node has become its master altogether.
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

    /// How many of the keys are here.
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

    pub(super) fn cluster(&self, server: &Server, arguments: &[&[u8]], replies: &mut Replies) {
        let what = self.command.split_once('|').map_or("", |it| it.1);
        if what == "help" {
            return crate::commands::help("cluster", replies);
        }
        let mut map = server.cluster.map();
        let Some(map) = map.as_mut() else {
            return replies.error(DISABLED);
        };
        let rest = &arguments[1..];
        let done = match what {
            "myid" | "nodes" | "info" | "slots" | "shards" | "keyslot" => {
                tell(map, server, what, rest, replies);
                return;
            }
            "replicas" | "slaves" => replicas(map, rest, replies),
            "replicate" => replicate(map, server, rest).map(|()| replies.ok()),
            "failover" => fail_over(map, server, rest).map(|()| replies.ok()),
            "forget" => forget(map, server, rest).map(|()| replies.ok()),
            "meet" => meet(map, rest).map(|()| replies.ok()),
            "countkeysinslot" => slot(rest[0]).map(|slot| {
                let count = keys_in(server, slot, usize::MAX).len();
                replies.count(count);
            }),
            "getkeysinslot" => slot(rest[0]).and_then(|slot| {
                let most = number(rest[1]).and_then(|it| usize::try_from(it).ok());
                let most = most.ok_or("ERR Invalid slot or number of keys")?;
                let found = keys_in(server, slot, most);
                replies.array(found.len());
                found.iter().for_each(|key| replies.bulk(key));
                Ok(())
            }),
            "setslot" => set_slot(map, server, rest).map(|()| replies.ok()),
            "addslots" | "delslots" => {
                let pairs = rest.iter().map(|it| (*it, *it)).collect::<Vec<_>>();
                change(map, what == "addslots", &pairs).map(|()| replies.ok())
            }
            _ => {
                let pairs = rest.chunks(2).map(|it| (it[0], it[it.len() - 1]));
                let pairs = pairs.collect::<Vec<_>>();
                change(map, what == "addslotsrange", &pairs).map(|()| replies.ok())
            }
        };
        match done {
            Ok(()) => server.cluster.news.wish(),
            Err(why) => replies.error(why),
        }
    }
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

fn slot(text: &[u8]) -> Result<usize, &'static str> {
    let slot = number(text).and_then(|it| usize::try_from(it).ok());
    slot.filter(|it| *it < SLOTS).ok_or(BAD_SLOT)
}

/// The keys of a slot: it looks at all keys.
pub(super) fn keys_in(server: &Server, slot: usize, most: usize) -> Vec<Box<[u8]>> {
    let mut found = Vec::new();
    let mut locked = server.store.all(0, server.now());
    for keys in locked.each() {
        let of_slot = keys.iter().map(|it| it.0).filter(|it| slot_of(it) == slot);
        found.extend(of_slot.take(most - found.len()).map(Box::from));
    }
    found
}

fn change(map: &mut Map, adds: bool, pairs: &[(&[u8], &[u8])]) -> Result<(), &'static str> {
    let mut all = Vec::new();
    for (first, last) in pairs {
        all.extend(slot(first)?..=slot(last)?);
    }
    match adds {
        true if all.iter().any(|it| map.owner(*it).is_some()) => Err("ERR Slot is already busy"),
        true => {
            map.take(all);
            Ok(())
        }
        false if all.iter().any(|it| map.owner(*it).is_none()) => {
            Err("ERR Slot is already unassigned")
        }
        false => {
            all.into_iter().for_each(|it| map.give(it, None));
            map.take([]);
            Ok(())
        }
    }
}

fn set_slot(map: &mut Map, server: &Server, rest: &[&[u8]]) -> Result<(), &'static str> {
    const WRONG: &str =
        "ERR Invalid CLUSTER SETSLOT action or number of arguments. Try CLUSTER HELP";
    if map.peers[0].master.is_some() {
        return Err("ERR You can use SETSLOT only with masters.");
    }
    let slot = slot(rest[0])?;
    let action = rest.get(1).map(|it| it.to_ascii_lowercase());
    let id = rest
        .get(2)
        .map(|it| String::from_utf8_lossy(it).into_owned());
    let found = id.as_deref().and_then(|id| map.find(id).map(|it| it.0));
    let known = || found.ok_or("ERR I don't know about this node");
    match (action.as_deref(), id.clone()) {
        (Some(b"stable"), None) => {
            map.moving.remove(&slot);
        }
        (Some(b"migrating"), Some(id)) => {
            if !map.is_mine(slot) {
                return Err("ERR I'm not the owner of hash slot");
            }
            known()?;
            map.moving.insert(slot, Moving::To(id));
        }
        (Some(b"importing"), Some(id)) => {
            if map.is_mine(slot) {
                return Err("ERR I'm already the owner of hash slot");
            }
            known()?;
            map.moving.insert(slot, Moving::From(id));
        }
        (Some(b"node"), Some(_)) => match known()? {
            0 => map.take([slot]),
            _ if map.is_mine(slot) && !keys_in(server, slot, 1).is_empty() => {
                return Err(
                    "ERR Can't assign hashslot to a different node while I still hold keys for this hash slot.",
                );
            }
            other => map.give(slot, Some(other)),
        },
        _ => return Err(WRONG),
    }
    Ok(())
}
