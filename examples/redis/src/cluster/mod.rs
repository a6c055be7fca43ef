//! A cluster: nodes of Erlang that divide the slots of keys among them.
//!
//! ```text
//! CLUSTER SETSLOT … ──> Cluster (who has which slot) ── Member ── claims, by a group of `pg` ──> the Members of other nodes
//! ```
//!
//! A node that meets another one hears it, and whom that hears. It claims slots with its epoch. Who
//! takes a slot takes an epoch above all that it knows, so the last claim wins everywhere, in
//! whichever order claims arrive.

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
    /// The node that it is a replica of.
    pub master: Option<String>,
    /// What has been heard of it.
    pub seen: Seen,
}

/// What a node has heard of another one. Times are in milliseconds of a node's own clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Seen {
    /// When, by the clock of who has heard.
    pub heard: u64,
    /// What the other one's clock said.
    pub stamp: u64,
    /// When this node has sent the last message that the other one has heard, as that says.
    pub confirmed: u64,
    /// Up to where it has the history of its master's changes.
    pub offset: u64,
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
    /// Votes, and who stands.
    pub ballot: Ballot,
    /// The nodes that are not heard, and until when.
    pub forgotten: BTreeMap<String, u64>,
    /// The names of Erlang nodes that it wants to be known by, and is not yet.
    meets: Vec<String>,
    /// Whether another node may know it.
    is_met: bool,
    /// How often it was changed.
    changes: u64,
}

/// What one node says of another, or of itself.
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

    /// Whether clients that ask for its keys are served here: maybe by a replica.
    #[must_use]
    pub fn is_here(&self, slot: usize) -> bool {
        self.is_mine(slot) || self.is_copied(slot)
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
        let claimed = self.peers.iter().map(|it| it.epoch).max();
        claimed.unwrap_or(0).max(self.ballot.epoch)
    }

    /// The node that this one is a replica of.
    #[must_use]
    pub fn master(&self) -> Option<&Peer> {
        let id = self.peers[0].master.as_deref()?;
        self.find(id).map(|it| it.1)
    }

    /// The replicas of a node.
    pub fn replicas<'m>(&'m self, id: &'m str) -> impl Iterator<Item = &'m Peer> {
        let all = self.peers.iter();
        all.filter(move |it| it.master.as_deref() == Some(id))
    }

    /// Whether this node has the keys of a slot, as its master's replica.
    #[must_use]
    pub fn is_copied(&self, slot: usize) -> bool {
        let owner = self.owner(slot).map(|it| &it.id);
        owner.is_some() && owner == self.peers[0].master.as_ref()
    }

    /// This node is a replica of another one.
    pub fn replicate(&mut self, id: &str) {
        self.changes += 1;
        self.peers[0].master = Some(id.to_owned());
        self.take([]);
    }

    /// A node is not known any more.
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

    /// This node takes slots from whoever has them. Its epoch is above all others then, if anybody
    /// knows what it had before.
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

    /// A slot is another node's, or nobody's.
    pub fn give(&mut self, slot: usize, to: Owner) {
        self.changes += 1;
        self.owners[slot] = to;
        self.moving.remove(&slot);
    }

    /// A slot's keys begin to move.
    pub fn begin_move(&mut self, slot: usize, moving: Moving) {
        self.changes += 1;
        self.moving.insert(slot, moving);
    }

    /// A slot's keys stay where they are.
    pub fn stay(&mut self, slot: usize) {
        self.changes += 1;
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
        if self.forgotten.contains_key(&claim.peer.id) {
            return;
        }
        let at = match self.find(&claim.peer.id) {
            Some((at, known)) if known.epoch >= claim.peer.epoch => {
                // It may have been started again at another port, or by another name.
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

#[cfg(test)]
mod tests;
