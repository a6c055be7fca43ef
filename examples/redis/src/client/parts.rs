//! The subcommands CLUSTER REPLICATE, FAILOVER and RESET, which change the roles of masters and
//! replicas.

use std::borrow::Cow;

use super::cluster::Done;
use super::slots::has_keys;
use crate::acl::random_digits;
use crate::cluster::{FORGOTTEN, Failover, Map, node_line};
use crate::replication::Master;
use crate::resp::{Replies, number};
use crate::server::Server;

fn unknown(word: &[u8]) -> String {
    format!("ERR Unknown node {}", text(word))
}

fn text(word: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(word)
}

fn id(word: &[u8]) -> String {
    text(word).to_ascii_lowercase()
}

pub(super) fn replicas(map: &Map, rest: &[&[u8]], replies: &mut Replies) -> Done {
    let (_, master) = map.find(&id(rest[0])).ok_or_else(|| unknown(rest[0]))?;
    if master.master.is_some() {
        return Err("ERR The specified node is not a master".into());
    }
    let all = map.peers.iter().enumerate();
    let of = all.filter(|(_, it)| it.master.as_ref() == Some(&master.id));
    let places: Vec<usize> = of.map(|it| it.0).collect();
    replies.array(places.len());
    for at in places {
        replies.bulk(node_line(map, at).as_bytes());
    }
    Ok(())
}

/// Makes this node a replica. This runs while no other client runs a command.
pub(super) fn replicate(map: &mut Map, server: &Server, rest: &[&[u8]]) -> Done {
    let (at, master) = map.find(&id(rest[0])).ok_or_else(|| unknown(rest[0]))?;
    if at == 0 {
        return Err("ERR Can't replicate myself".into());
    }
    if master.master.is_some() {
        return Err("ERR I can only replicate a master, not a replica.".into());
    }
    let is_master = map.peers[0].master.is_none();
    if is_master && (!map.slots_of(0).is_empty() || has_keys(server)) {
        return Err(
            "ERR To set a master the node must be empty and without assigned slots.".into(),
        );
    }
    let (master, of) = (
        master.id.clone(),
        Master {
            node: master.node.clone(),
            port: master.port,
        },
    );
    if map.peers[0].master.as_ref() != Some(&master) {
        map.replicate(&master);
        server.follow(of);
    }
    Ok(())
}

/// Starts a failover. This runs while no other client runs a command.
pub(super) fn fail_over(map: &mut Map, server: &Server, rest: &[&[u8]]) -> Done {
    let how = rest.first().map(|it| it.to_ascii_lowercase());
    let is_one = matches!(how.as_deref(), None | Some(b"force" | b"takeover"));
    if rest.len() > 1 || !is_one {
        return Err("ERR syntax error".into());
    }
    let master = map.master();
    let why = "ERR You should send CLUSTER FAILOVER to a replica";
    let master = master.ok_or(why)?;
    let is_up = server.replication.known().link == crate::replication::Link::Up;
    match how.as_deref() {
        None if !master.is_connected || !is_up => {
            return Err("ERR Master is down or failed, please use CLUSTER FAILOVER FORCE".into());
        }
        None => *server.cluster.failover() = Some(Failover::HandOver),
        Some(b"force") => *server.cluster.failover() = Some(Failover::Votes),
        Some(_) => {
            map.promote(map.epoch() + 1);
            server.lead();
        }
    }
    Ok(())
}

pub(super) fn forget(map: &mut Map, server: &Server, rest: &[&[u8]]) -> Done {
    let (at, node) = map.find(&id(rest[0])).ok_or_else(|| unknown(rest[0]))?;
    if at == 0 {
        return Err("ERR I tried hard but I can't forget myself...".into());
    }
    if map.peers[0].master.as_ref() == Some(&node.id) {
        return Err("ERR Can't forget my master!".into());
    }
    map.forget(at, server.cluster.clock() + FORGOTTEN);
    Ok(())
}

/// Resets this node. This runs while no other client runs a command.
pub(super) fn reset(map: &mut Map, server: &Server, rest: &[&[u8]]) -> Done {
    let how: Vec<Vec<u8>> = rest.iter().map(|it| it.to_ascii_lowercase()).collect();
    let is_hard = match how.as_slice() {
        [] => false,
        [how] if how == b"soft" => false,
        [how] if how == b"hard" => true,
        _ => return Err("ERR syntax error".into()),
    };
    let is_master = map.peers[0].master.is_none();
    if is_master && has_keys(server) {
        return Err("ERR CLUSTER RESET can't be called with master nodes containing keys".into());
    }
    let id = match is_hard {
        true => Some(random_digits(40).map_err(|error| format!("ERR {error}"))?),
        false => None,
    };
    map.reset(id);
    if !is_master {
        server.lead();
        let mut locked = server.store.everything(0, server.now());
        locked.clear(true);
        locked.record(&[b"FLUSHALL"]);
    }
    server.cluster.renew(map);
    Ok(())
}

pub(super) fn set_epoch(map: &mut Map, rest: &[&[u8]]) -> Done {
    let epoch = number(rest[0]).ok_or("ERR value is not an integer or out of range")?;
    let epoch = u64::try_from(epoch);
    let epoch =
        epoch.map_err(|_| format!("ERR Invalid config epoch specified: {}", text(rest[0])))?;
    Ok(map.set_epoch(epoch)?)
}
