//! Claims: the messages in which nodes tell each other what they know.

use super::member::{Claimed, Claims, Stands, Vote};
use super::{Claim, Peer, Seen};
use crate::server::Server as Redis;

/// Returns everything that this node knows.
pub(super) fn claims_of(server: &Redis) -> Option<Claims> {
    let map = server.cluster.map();
    let map = map.as_ref()?;
    let short = |slot: usize| u16::try_from(slot).unwrap_or(u16::MAX);
    let nodes = map.claims().into_iter().map(|claim| Claimed {
        id: claim.peer.id,
        node: claim.peer.node,
        port: claim.peer.port,
        epoch: claim.peer.epoch,
        master: claim.peer.master,
        slots: claim
            .slots
            .iter()
            .map(|it| (short(it.0), short(it.1)))
            .collect(),
    });
    let heard = map.peers[1..]
        .iter()
        .map(|it| (it.id.clone(), it.seen.stamp));
    Some(Claims {
        meets: map.meets.clone(),
        stamp: server.cluster.stamp(),
        epoch: map.epoch(),
        offset: server.store.backlog.end(),
        heard: heard.collect(),
        nodes: nodes.collect(),
    })
}

impl Claimed {
    /// Decodes a claim. `is_itself` means that the node makes the claim about itself.
    fn read(self, is_itself: bool) -> Claim {
        let slots = self.slots.iter().map(|it| (it.0.into(), it.1.into()));
        Claim {
            slots: slots.collect(),
            peer: Peer {
                id: self.id,
                node: self.node,
                port: self.port,
                epoch: self.epoch,
                is_connected: is_itself,
                master: self.master,
                seen: Seen::default(),
            },
        }
    }
}

impl Redis {
    /// Checks which nodes are lost, and stands for election if this replica should replace its
    /// master.
    pub(super) fn stand(&self) -> Option<Stands> {
        let (clock, timeout) = (self.cluster.clock(), self.cluster.patience());
        let (offset, is_whole) = (self.store.backlog.end(), self.replication.known().is_whole);
        self.cluster.with(|map| {
            map.forgotten.retain(|_, until| clock < *until);
            for peer in &mut map.peers[1..] {
                peer.is_connected &= clock.saturating_sub(peer.seen.heard) < timeout;
            }
            if !is_whole {
                return None;
            }
            let epoch = map.stand(clock, timeout, offset)?;
            Some(Stands {
                from: map.peers[0].id.clone(),
                epoch,
                is_forced: false,
            })
        })?
    }

    pub(super) fn vote(&self, it: &Stands) -> Option<Vote> {
        let (clock, timeout) = (self.cluster.clock(), self.cluster.patience());
        let about = (it.epoch, it.is_forced);
        self.cluster.with(|map| {
            let votes = map.votes(clock, timeout, &it.from, about);
            votes.then(|| Vote {
                from: map.peers[0].id.clone(),
                to: it.from.clone(),
                epoch: it.epoch,
            })
        })?
    }

    /// Merges another node's knowledge.
    pub(super) fn learn(&self, claims: Claims) {
        let clock = self.cluster.clock();
        self.cluster.with(|map| {
            let nodes = claims.nodes.into_iter().enumerate();
            let said: Vec<Claim> = nodes.map(|(at, it)| it.read(at == 0)).collect();
            let Some(from) = said.first().map(|it| &it.peer) else {
                return;
            };
            if !map.hears(from, &said, &claims.meets) {
                return;
            }
            map.ballot.epoch = map.ballot.epoch.max(claims.epoch);
            said.iter().for_each(|it| map.merge(it));
            let me = map.peers[0].id.clone();
            let confirmed = claims.heard.iter().find(|it| it.0 == me);
            let mut peers = map.peers[1..].iter_mut();
            if let Some(peer) = peers.find(|it| it.id == from.id) {
                peer.is_connected = true;
                peer.seen = Seen {
                    heard: clock,
                    stamp: claims.stamp,
                    // A stamp that the node heard from a predecessor of this process belongs to
                    // another clock.
                    confirmed: confirmed.map_or(0, |it| self.cluster.of_stamp(it.1)),
                    offset: claims.offset,
                };
            }
            self.cluster.renew(map);
        });
    }
}
