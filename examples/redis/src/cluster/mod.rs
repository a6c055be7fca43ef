//! The cluster: Erlang nodes that divide the slots of the keys among them.
//!
//! ```text
//! CLUSTER SETSLOT … ──> Cluster (owners of the slots) ── Member ── claims, by a group of `pg` ──> the Members of other nodes
//! ```
//!
//! Each node sends its claims to the others, and listens to nodes that it has met or learned about.
//! A claim of slots carries the node's epoch. A node that takes a slot raises its epoch above all
//! that it knows. So the last claim wins everywhere, in whatever order claims arrive.

mod claims;
mod election;
mod file;
mod handshake;
mod joining;
mod member;
mod node;
mod report;
mod slots;

use std::collections::BTreeMap;

pub use election::{Ballot, FORGOTTEN};
pub use handshake::{Cookie, challenge};
pub use member::{Failover, Member};
pub use node::{Cluster, MapGuard};
pub use report::{info, node_line, nodes, shards, slots};
pub use slots::{SLOTS, read_ranges, slot_of};

use slots::{Owner, ranges};

/// A node, as the others know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peer {
    /// The node's id: 40 hexadecimal digits.
    pub id: String,
    /// Name of the Erlang node.
    pub node: String,
    /// Port for clients at 127.0.0.1.
    pub port: u16,
    /// The epoch of the node's claims.
    pub epoch: u64,
    /// Whether the node can be reached.
    pub is_connected: bool,
    /// Id of the node's master, if it is a replica.
    pub master: Option<String>,
    /// Information from the node's last message.
    pub seen: Seen,
}

/// Information from a node's last message. Times are in milliseconds of a node's own clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Seen {
    /// Time of arrival, by the receiver's clock.
    pub heard: u64,
    /// The sender's clock.
    pub stamp: u64,
    /// Time of this node's last message that the sender has received, by this node's clock.
    pub confirmed: u64,
    /// The end of the sender's history of its master's changes.
    pub offset: u64,
}

/// The direction in which a slot moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moving {
    /// The keys move to the node with this id.
    To(String),
    /// The keys come from the node with this id.
    From(String),
}

/// A node's knowledge of the cluster. The first peer is the node itself.
#[derive(Debug)]
pub struct Map {
    /// All nodes.
    pub peers: Vec<Peer>,
    owners: Vec<Owner>,
    /// The slots that are moving.
    pub moving: BTreeMap<usize, Moving>,
    /// This node's votes and candidacy.
    pub ballot: Ballot,
    /// The nodes that are ignored, and until when.
    pub forgotten: BTreeMap<String, u64>,
    /// The names of the Erlang nodes that this node wants to meet.
    meets: Vec<String>,
    /// Whether other nodes may know this one.
    is_met: bool,
    /// Number of changes of the map.
    changes: u64,
}

/// A statement of one node about another node, or about itself.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The node.
    pub peer: Peer,
    /// Its slots.
    pub slots: Vec<(usize, usize)>,
}

impl Default for Map {
    fn default() -> Self {
        Map {
            peers: Vec::new(),
            owners: vec![None; SLOTS],
            moving: BTreeMap::new(),
            ballot: Ballot::default(),
            forgotten: BTreeMap::new(),
            meets: Vec::new(),
            is_met: false,
            changes: 0,
        }
    }
}

impl Map {
    fn new(me: Peer) -> Self {
        Map {
            peers: vec![me],
            ..Map::default()
        }
    }

    /// Returns the node that has a slot.
    #[must_use]
    pub fn owner(&self, slot: usize) -> Option<&Peer> {
        self.owners[slot].map(|at| &self.peers[at])
    }

    /// Returns whether this node has the slot.
    #[must_use]
    pub fn is_mine(&self, slot: usize) -> bool {
        self.owners[slot] == Some(0)
    }

    /// Returns whether this node serves the slot's keys, possibly as a replica.
    #[must_use]
    pub fn is_here(&self, slot: usize) -> bool {
        self.is_mine(slot) || self.is_copied(slot)
    }

    /// Returns the node with an id, and its index.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<(usize, &Peer)> {
        let mut all = self.peers.iter().enumerate();
        all.find(|(_, peer)| peer.id == id)
    }

    /// Returns the slots of a node as ranges.
    #[must_use]
    pub fn slots_of(&self, at: usize) -> Vec<(usize, usize)> {
        ranges(&self.owners, at)
    }

    /// Returns how many slots are assigned.
    #[must_use]
    pub fn assigned(&self) -> usize {
        self.owners.iter().flatten().count()
    }

    /// Returns the highest known epoch.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        let claimed = self.peers.iter().map(|it| it.epoch).max();
        claimed.unwrap_or(0).max(self.ballot.epoch)
    }

    /// Returns the master of this node, if it is a replica.
    #[must_use]
    pub fn master(&self) -> Option<&Peer> {
        let id = self.peers[0].master.as_deref()?;
        self.find(id).map(|it| it.1)
    }

    /// Returns the replicas of a node.
    pub fn replicas<'m>(&'m self, id: &'m str) -> impl Iterator<Item = &'m Peer> {
        let all = self.peers.iter();
        all.filter(move |it| it.master.as_deref() == Some(id))
    }

    /// Returns whether this node has the keys of a slot as a replica of the slot's master.
    #[must_use]
    pub fn is_copied(&self, slot: usize) -> bool {
        let owner = self.owner(slot).map(|it| &it.id);
        owner.is_some() && owner == self.peers[0].master.as_ref()
    }

    /// Makes this node a replica of another one.
    pub fn replicate(&mut self, id: &str) {
        self.changes += 1;
        self.peers[0].master = Some(id.to_owned());
        self.take([]);
    }

    /// Forgets a node, and ignores it for a while.
    pub fn forget(&mut self, at: usize, until: u64) {
        self.changes += 1;
        let peer = self.peers.remove(at);
        self.forgotten.insert(peer.id, until);
        for owner in &mut self.owners {
            *owner = match *owner {
                Some(it) if it == at => None,
                Some(it) if it > at => Some(it - 1),
                it => it,
            };
        }
    }

    /// Takes slots from the nodes that have them. If other nodes may know this one, it raises its
    /// epoch above all others.
    pub fn take(&mut self, slots: impl IntoIterator<Item = usize>) {
        self.changes += 1;
        if self.is_met {
            self.peers[0].epoch = self.epoch() + 1;
        }
        for slot in slots {
            self.owners[slot] = Some(0);
            self.moving.remove(&slot);
        }
    }

    /// Assigns a slot to another node, or to none.
    pub fn give(&mut self, slot: usize, to: Owner) {
        self.changes += 1;
        self.owners[slot] = to;
        self.moving.remove(&slot);
    }

    /// Marks a slot as moving.
    pub fn begin_move(&mut self, slot: usize, moving: Moving) {
        self.changes += 1;
        self.moving.insert(slot, moving);
    }

    /// Cancels the move of a slot.
    pub fn stay(&mut self, slot: usize) {
        self.changes += 1;
        self.moving.remove(&slot);
    }

    /// Returns claims about everything that this node knows.
    #[must_use]
    pub fn claims(&self) -> Vec<Claim> {
        let peers = self.peers.iter().enumerate();
        let claim = |(at, peer): (usize, &Peer)| Claim {
            peer: peer.clone(),
            slots: self.slots_of(at),
        };
        peers.map(claim).collect()
    }

    /// Merges a claim. A claim of an older epoch changes no slots.
    pub fn merge(&mut self, claim: &Claim) {
        if self.forgotten.contains_key(&claim.peer.id) {
            return;
        }
        let at = match self.find(&claim.peer.id) {
            Some((at, known)) if known.epoch >= claim.peer.epoch => {
                // The node may have been restarted with another port or name.
                if at > 0 && claim.peer.is_connected {
                    self.peers[at].port = claim.peer.port;
                    self.peers[at].node.clone_from(&claim.peer.node);
                }
                return;
            }
            Some((at, _)) => at,
            None => {
                self.become_known();
                self.peers.push(Peer {
                    is_connected: false,
                    seen: Seen::default(),
                    ..claim.peer.clone()
                });
                self.peers.len() - 1
            }
        };
        self.changes += 1;
        for owner in self.owners.iter_mut().filter(|it| **it == Some(at)) {
            *owner = None;
        }
        self.peers[at].epoch = claim.peer.epoch;
        self.peers[at].master.clone_from(&claim.peer.master);
        for slot in claim.slots.iter().flat_map(|(first, last)| *first..=*last) {
            let Some(owner) = self.owners.get(slot) else {
                continue;
            };
            // Two nodes that have taken the slot without knowing of each other may have equal
            // epochs. Then the id decides.
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

#[cfg(test)]
mod tests;
