//! The replies of CLUSTER about nodes and slots.

use super::slots::write_ranges;
use super::{Map, Moving, Peer, SLOTS};
use crate::resp::Replies;
use crate::store::Store;

/// Returns a node's line of CLUSTER NODES.
#[must_use]
pub fn node_line(map: &Map, at: usize) -> String {
    let peer = &map.peers[at];
    let part = match &peer.master {
        Some(_) => "slave",
        None => "master",
    };
    let (before, behind, link) = match (at, peer.is_connected) {
        (0, _) => ("myself,", "", "connected"),
        (_, true) => ("", "", "connected"),
        (_, false) => ("", ",fail", "disconnected"),
    };
    let master = peer.master.as_deref().unwrap_or("-");
    let mut text = format!(
        "{} 127.0.0.1:{}@0 {before}{part}{behind} {master} 0 0 {} {link}",
        peer.id, peer.port, peer.epoch
    );
    let slots = write_ranges(&map.slots_of(at), " ");
    if !slots.is_empty() {
        text += &format!(" {slots}");
    }
    for (slot, moving) in map.moving.iter().filter(|_| at == 0) {
        text += &match moving {
            Moving::To(id) => format!(" [{slot}->-{id}]"),
            Moving::From(id) => format!(" [{slot}-<-{id}]"),
        };
    }
    text
}

/// Returns the reply of CLUSTER NODES.
#[must_use]
pub fn nodes(map: &Map) -> String {
    let lines = (0..map.peers.len()).map(|at| node_line(map, at) + "\n");
    lines.collect()
}

/// Returns the reply of CLUSTER INFO. `serves` is whether this node serves its own slots.
#[must_use]
pub fn info(map: &Map, serves: bool) -> String {
    let assigned = map.assigned();
    let served = (0..SLOTS).filter(|it| map.owner(*it).is_some_and(|it| it.is_connected));
    let served = served.count();
    format!(
        "cluster_state:{}\r\ncluster_slots_assigned:{assigned}\r\ncluster_slots_ok:{served}\r\ncluster_slots_pfail:0\r\n\
         cluster_slots_fail:{}\r\ncluster_known_nodes:{}\r\ncluster_size:{}\r\ncluster_current_epoch:{}\r\n\
         cluster_my_epoch:{}\r\ntotal_cluster_links_buffer_limit_exceeded:0\r\n",
        if served == SLOTS && serves {
            "ok"
        } else {
            "fail"
        },
        assigned - served,
        map.peers.len(),
        map.voters().count(),
        map.epoch(),
        map.peers[0].epoch
    )
}

/// Writes the reply of CLUSTER SLOTS: each master with the replicas that can be reached.
pub fn slots(map: &Map, replies: &mut Replies) {
    let all = map.peers.iter().enumerate();
    let ranges = all.flat_map(|(at, peer)| map.slots_of(at).into_iter().map(move |it| (it, peer)));
    let mut ranges: Vec<_> = ranges.collect();
    ranges.sort_by_key(|it| it.0);
    replies.array(ranges.len());
    for ((first, last), peer) in ranges {
        let replicas = map.replicas(&peer.id).filter(|it| it.is_connected);
        let servers: Vec<&Peer> = [peer].into_iter().chain(replicas).collect();
        replies.array(2 + servers.len());
        replies.count(first);
        replies.count(last);
        for server in servers {
            replies.array(4);
            replies.bulk(b"127.0.0.1");
            replies.integer(server.port.into());
            replies.bulk(server.id.as_bytes());
            replies.array(0);
        }
    }
}

/// Writes the reply of CLUSTER SHARDS: the masters with their replicas.
pub fn shards(map: &Map, store: &Store, replies: &mut Replies) {
    let masters = map.peers.iter().enumerate();
    let masters: Vec<_> = masters.filter(|it| it.1.master.is_none()).collect();
    replies.array(masters.len());
    for (at, master) in masters {
        let ranges = map.slots_of(at);
        replies.map(2);
        replies.bulk(b"slots");
        replies.array(2 * ranges.len());
        for (first, last) in ranges {
            replies.count(first);
            replies.count(last);
        }
        replies.bulk(b"nodes");
        let servers: Vec<&Peer> = [master]
            .into_iter()
            .chain(map.replicas(&master.id))
            .collect();
        replies.array(servers.len());
        for server in servers {
            let is_me = server.id == map.peers[0].id;
            let offset = if is_me {
                store.backlog.end()
            } else {
                server.seen.offset
            };
            describe(server, offset, replies);
        }
    }
}

fn describe(peer: &Peer, offset: u64, replies: &mut Replies) {
    let health = if peer.is_connected {
        "online"
    } else {
        "failed"
    };
    let role = match peer.master {
        Some(_) => "replica",
        None => "master",
    };
    replies.map(7);
    replies.bulk(b"id");
    replies.bulk(peer.id.as_bytes());
    replies.bulk(b"port");
    replies.integer(peer.port.into());
    for (name, value) in [
        ("ip", "127.0.0.1"),
        ("endpoint", "127.0.0.1"),
        ("role", role),
        ("health", health),
    ] {
        replies.bulk(name.as_bytes());
        replies.bulk(value.as_bytes());
    }
    replies.bulk(b"replication-offset");
    replies.integer(i64::try_from(offset).unwrap_or(i64::MAX));
}
