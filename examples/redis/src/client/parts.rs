//! CLUSTER REPLICATE, FAILOVER and their kin: who is whose replica.

use crate::cluster::{FORGOTTEN, Failover, Map, node_line};
use crate::replication::Master;
use crate::resp::{Replies, number};
use crate::server::Server;

type Done = Result<(), &'static str>;

const UNKNOWN: &str = "ERR Unknown node";

fn id(word: &[u8]) -> String {
    String::from_utf8_lossy(word).to_ascii_lowercase()
}

pub(super) fn replicas(map: &Map, rest: &[&[u8]], replies: &mut Replies) -> Done {
    let (_, master) = map.find(&id(rest[0])).ok_or(UNKNOWN)?;
    if master.master.is_some() {
        return Err("ERR The specified node is not a master");
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

/// No command of another client runs meanwhile.
pub(super) fn replicate(map: &mut Map, server: &Server, rest: &[&[u8]]) -> Done {
    let (at, master) = map.find(&id(rest[0])).ok_or(UNKNOWN)?;
    if at == 0 {
        return Err("ERR Can't replicate myself");
    }
    if master.master.is_some() {
        return Err("ERR I can only replicate a master, not a replica.");
    }
    let has_keys = || (0..crate::store::DATABASES).any(|db| server.store.counts(db).0 > 0);
    let is_master = map.peers[0].master.is_none();
    if is_master && (!map.slots_of(0).is_empty() || has_keys()) {
        return Err("ERR To set a master the node must be empty and without assigned slots.");
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

/// No command of another client runs meanwhile.
pub(super) fn fail_over(map: &mut Map, server: &Server, rest: &[&[u8]]) -> Done {
    let how = rest.first().map(|it| it.to_ascii_lowercase());
    if rest.len() > 1 {
        return Err("ERR syntax error");
    }
    let master = map.master();
    let why = "ERR You should send CLUSTER FAILOVER to a replica";
    let master = master.ok_or(why)?;
    let is_up = server.replication.known().link == crate::replication::Link::Up;
    match how.as_deref() {
        None if !master.is_connected || !is_up => {
            return Err("ERR Master is down or failed, please use CLUSTER FAILOVER FORCE");
        }
        None => *server.cluster.failover() = Some(Failover::HandOver),
        Some(b"force") => *server.cluster.failover() = Some(Failover::Votes),
        Some(b"takeover") => {
            map.promote(map.epoch() + 1);
            server.lead();
        }
        Some(_) => return Err("ERR syntax error"),
    }
    Ok(())
}

pub(super) fn forget(map: &mut Map, server: &Server, rest: &[&[u8]]) -> Done {
    let (at, node) = map.find(&id(rest[0])).ok_or(UNKNOWN)?;
    if at == 0 {
        return Err("ERR I tried hard but I can't forget myself...");
    }
    if map.peers[0].master.as_ref() == Some(&node.id) {
        return Err("ERR Can't forget my master!");
    }
    map.forget(at, server.cluster.clock() + FORGOTTEN);
    Ok(())
}

/// Nodes meet by Erlang's distribution.
pub(super) fn meet(map: &Map, rest: &[&[u8]]) -> Done {
    let port = number(rest[1]).and_then(|it| u16::try_from(it).ok());
    let port = port.ok_or("ERR Invalid base port specified")?;
    let is_here = matches!(&*rest[0].to_ascii_lowercase(), b"127.0.0.1" | b"localhost");
    match is_here && map.peers.iter().any(|it| it.port == port) {
        true => Ok(()),
        false => {
            Err("ERR here nodes meet when one is started with --connect and the name of the other")
        }
    }
}
