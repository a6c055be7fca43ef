//! How nodes come into a cluster, and leave it.
//!
//! A node hears only nodes that it knows, and of others by them. It comes to know another one when
//! that says that it wants to meet it, or when it wants to meet that and is known there.

use super::{Ballot, Claim, Map, Peer};

impl Map {
    /// This node wants to be known by another one, whose Erlang node has this name.
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

    /// Others may know this node from now on. They tell it what it has when it has lost that, if
    /// its epoch is above that of a new node.
    pub(super) fn become_known(&mut self) {
        let is_first = !std::mem::replace(&mut self.is_met, true);
        if is_first && self.peers[0].epoch == 0 && self.owners.contains(&Some(0)) {
            self.peers[0].epoch = 1;
        }
    }

    /// Whether this node hears another one that says all this. `meets`: the nodes that it wants to
    /// meet.
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

    /// This node knows nobody and has nothing, as at first. `id`: its new one, if it gets one; then
    /// its epochs begin anew, too.
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
            // Others that still know it hear that it has nothing any more.
            if was_met {
                self.peers[0].epoch = epoch + 1;
            }
            self.ballot = Ballot::of(epoch, voted);
        }
    }

    /// Gives an epoch to a node that knows nobody.
    ///
    /// # Errors
    /// Why not.
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

    /// Gets an epoch above those of all others, if it has none. Whether it has got one.
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
