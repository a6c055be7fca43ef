//! How nodes join a cluster, and leave it.
//!
//! A node listens only to nodes that it knows, and learns about further nodes from them. It gets to
//! know a first node in one of two ways: the other node says that it wants to meet this one, or
//! this node wants to meet the other one, which already knows it.

use super::{Ballot, Claim, Map, Peer};

impl Map {
    /// Registers the wish to meet another node, given by its Erlang name.
    pub fn meet(&mut self, node: &str) {
        self.become_known();
        self.changes += 1;
        let is_known = self
            .peers
            .iter()
            .any(|it| it.node == node && it.is_connected);
        if !is_known && !self.meets.iter().any(|it| it == node) {
            self.meets.push(node.to_owned());
        }
    }

    /// Records that other nodes may know this one. If this node loses its slots, the others tell it
    /// about them; for that, its epoch has to be above that of a new node.
    pub(super) fn become_known(&mut self) {
        let is_first = !std::mem::replace(&mut self.is_met, true);
        if is_first && self.peers[0].epoch == 0 && self.owners.contains(&Some(0)) {
            self.peers[0].epoch = 1;
        }
    }

    /// Returns whether this node listens to a sender with these claims. `meets` are the nodes that
    /// the sender wants to meet.
    pub(super) fn hears(&mut self, from: &Peer, said: &[Claim], meets: &[String]) -> bool {
        let (id, node) = (&self.peers[0].id, &self.peers[0].node);
        let knows_me = said.iter().any(|it| it.peer.id == *id);
        let is_met = knows_me && self.meets.contains(&from.node);
        let meets_me = meets.contains(node);
        if is_met || meets_me {
            self.forgotten.remove(&from.id);
        }
        if knows_me {
            self.meets.retain(|it| *it != from.node);
        }
        is_met || meets_me || self.find(&from.id).is_some_and(|it| it.0 > 0)
    }

    /// Forgets all other nodes and all slots. With a new `id`, the epochs start again as well.
    pub fn reset(&mut self, id: Option<String>) {
        let (epoch, changes) = (self.epoch(), self.changes);
        let (voted, was_met) = (self.ballot.voted, self.is_met);
        let mut me = self.peers.swap_remove(0);
        me.master = None;
        let is_hard = id.is_some();
        if let Some(id) = id {
            me.id = id;
            me.epoch = 0;
        }
        *self = Map::new(me);
        self.changes = changes + 1;
        if !is_hard {
            // Nodes that still know this one learn that it has given its slots up.
            if was_met {
                self.peers[0].epoch = epoch + 1;
            }
            self.ballot = Ballot::of(epoch, voted);
        }
    }

    /// Sets the epoch of a node that knows no other one.
    ///
    /// # Errors
    /// The reason why the epoch cannot be set.
    pub fn set_epoch(&mut self, epoch: u64) -> Result<(), &'static str> {
        if self.is_met {
            return Err(
                "ERR The user can assign a config epoch only when the node does not know any other node.",
            );
        }
        if self.peers[0].epoch != 0 {
            return Err("ERR Node config epoch is already non-zero");
        }
        self.changes += 1;
        self.peers[0].epoch = epoch;
        Ok(())
    }

    /// Raises the epoch above those of all others, if this node has none. Returns whether that was
    /// necessary.
    pub fn bump(&mut self) -> bool {
        let epoch = self.peers[0].epoch;
        let has_one = epoch != 0 && epoch == self.epoch();
        if !has_one {
            self.changes += 1;
            self.peers[0].epoch = self.epoch() + 1;
        }
        !has_one
    }
}
