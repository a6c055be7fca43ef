//! A cluster: nodes of Erlang that divide the slots of keys among them.
//!
//! ```text
//! CLUSTER SETSLOT … ──> Cluster (who has which slot) ── Member ── claims, by a group of `pg` ──> the Members of other nodes
//! ```
//!
//! A node claims slots with its epoch. Who takes a slot takes an epoch above all that it knows, so the last claim wins
//! everywhere, in whichever order claims arrive.

mod member;
mod slots;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use member::Member;
pub use slots::{SLOTS, read_ranges, slot_of};

use crate::persistence::Wish;
use slots::{Owner, ranges};

/// A node as the others know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peer {
    /// 40 hexadecimal digits.
    pub id: String,
    /// The name of the Erlang node.
    pub node: String,
    /// Where its clients connect to, at 127.0.0.1.
    pub port: u16,
    /// The epoch of its claims.
    pub epoch: u64,
    /// Whether it is reached.
    pub is_connected: bool,
}

/// What becomes of a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moving {
    /// Its keys go to the node with this id.
    To(String),
    /// They come from it.
    From(String),
}

/// What a node knows of the cluster. Its first peer is itself.
#[derive(Debug)]
pub struct Map {
    /// All nodes.
    pub peers: Vec<Peer>,
    owners: Vec<Owner>,
    /// The slots that are being moved.
    pub moving: BTreeMap<usize, Moving>,
}

/// What one node says of another, or of itself.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The node.
    pub peer: Peer,
    /// Its slots.
    pub slots: Vec<(usize, usize)>,
}

impl Map {
    fn new(me: Peer) -> Self {
        Map {
            peers: vec![me],
            owners: vec![None; SLOTS],
            moving: BTreeMap::new(),
        }
    }

    /// Who has a slot.
    #[must_use]
    pub fn owner(&self, slot: usize) -> Option<&Peer> {
        self.owners[slot].map(|at| &self.peers[at])
    }

    /// Whether this node has it.
    #[must_use]
    pub fn is_mine(&self, slot: usize) -> bool {
        self.owners[slot] == Some(0)
    }

    /// The node with an id, and its place among all.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<(usize, &Peer)> {
        let mut all = self.peers.iter().enumerate();
        all.find(|(_, peer)| peer.id == id)
    }

    /// The slots of a node, as ranges.
    #[must_use]
    pub fn slots_of(&self, at: usize) -> Vec<(usize, usize)> {
        ranges(&self.owners, at)
    }

    /// How many slots somebody has.
    #[must_use]
    pub fn assigned(&self) -> usize {
        self.owners.iter().flatten().count()
    }

    /// The highest epoch that is known.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.peers.iter().map(|it| it.epoch).max().unwrap_or(0)
    }

    /// This node takes slots from whoever has them.
    pub fn take(&mut self, slots: impl IntoIterator<Item = usize>) {
        self.peers[0].epoch = self.epoch() + 1;
        for slot in slots {
            self.owners[slot] = Some(0);
            self.moving.remove(&slot);
        }
    }

    /// A slot is another node's, or nobody's.
    pub fn give(&mut self, slot: usize, to: Owner) {
        self.owners[slot] = to;
        self.moving.remove(&slot);
    }

    /// All that is known, for the others.
    #[must_use]
    pub fn claims(&self) -> Vec<Claim> {
        let peers = self.peers.iter().enumerate();
        let claim = |(at, peer): (usize, &Peer)| Claim {
            peer: peer.clone(),
            slots: self.slots_of(at),
        };
        peers.map(claim).collect()
    }

    /// Learns what another node says. Claims of an older epoch change nothing.
    pub fn merge(&mut self, claim: &Claim) {
        let at = match self.find(&claim.peer.id) {
            Some((at, known)) if known.epoch >= claim.peer.epoch => {
                // It may have been started again at another port.
                if at > 0 && claim.peer.is_connected {
                    self.peers[at].port = claim.peer.port;
                }
                return;
            }
            Some((at, _)) => at,
            None => {
                self.peers.push(Peer {
                    is_connected: false,
                    ..claim.peer.clone()
                });
                self.peers.len() - 1
            }
        };
        for owner in self.owners.iter_mut().filter(|it| **it == Some(at)) {
            *owner = None;
        }
        self.peers[at].epoch = claim.peer.epoch;
        for slot in claim.slots.iter().flat_map(|(first, last)| *first..=*last) {
            let Some(owner) = self.owners.get(slot) else {
                continue;
            };
            // Two that have taken it without knowing of each other may have the same epoch.
            let is_older = owner.is_none_or(|it| {
                let known = &self.peers[it];
                (known.epoch, &known.id) < (claim.peer.epoch, &claim.peer.id)
            });
            if is_older {
                self.owners[slot] = Some(at);
            }
        }
    }
}

/// The cluster, if this server is a node of one.
#[derive(Debug, Default)]
pub struct Cluster {
    is_enabled: AtomicBool,
    map: Mutex<Option<Map>>,
    /// That the others are told.
    pub(crate) news: Wish,
}

/// The map of a cluster, while it is locked.
pub struct MapGuard<'c>(MutexGuard<'c, Option<Map>>);

impl std::ops::Deref for MapGuard<'_> {
    type Target = Option<Map>;

    fn deref(&self) -> &Option<Map> {
        &self.0
    }
}

impl std::ops::DerefMut for MapGuard<'_> {
    fn deref_mut(&mut self) -> &mut Option<Map> {
        &mut self.0
    }
}

impl Cluster {
    /// Whether it is a node of a cluster.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.is_enabled.load(Ordering::Relaxed)
    }

    /// The word of HELLO and INFO.
    #[must_use]
    pub fn mode(&self) -> &'static str {
        if self.is_enabled() {
            "cluster"
        } else {
            "standalone"
        }
    }

    /// It is one, and has these slots.
    pub fn enable(&self, node: &str, port: u16, slots: &[(usize, usize)]) {
        let mut map = self.map();
        // After a failure of the process that calls this, the map is there.
        if map.is_none() {
            let me = Peer {
                id: crate::scripting::name_of(node.as_bytes()),
                node: node.to_owned(),
                port,
                epoch: 0,
                is_connected: true,
            };
            let mut new = Map::new(me);
            if !slots.is_empty() {
                new.take(slots.iter().flat_map(|(first, last)| *first..=*last));
            }
            *map = Some(new);
        }
        self.is_enabled.store(true, Ordering::Relaxed);
    }

    /// Who has what. `None` until it is a node.
    pub fn map(&self) -> MapGuard<'_> {
        MapGuard(self.map.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(name: &str) -> Map {
        Map::new(Peer {
            id: name.to_owned(),
            node: name.to_owned(),
            port: 1,
            epoch: 0,
            is_connected: true,
        })
    }

    fn tell(from: &Map, to: &mut Map) {
        from.claims().iter().for_each(|claim| to.merge(claim));
    }

    #[test]
    fn the_last_claim_wins_in_whichever_order_they_arrive() {
        let (mut one, mut two, mut three) = (map("one"), map("two"), map("three"));
        one.take(0..10);
        tell(&one, &mut two);
        let before = one.claims();
        two.take([3]);
        tell(&two, &mut three);
        before.iter().for_each(|claim| three.merge(claim));
        tell(&two, &mut one);
        for map in [&one, &two, &three] {
            let owners: Vec<&str> = (2..5).filter_map(|it| Some(&*map.owner(it)?.id)).collect();
            assert_eq!(owners, ["one", "two", "one"]);
        }
        // One that begins anew learns what it had.
        let mut again = map("two");
        tell(&three, &mut again);
        assert!(again.is_mine(3) && !again.is_mine(2));
    }
}
