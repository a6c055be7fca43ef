//! Who takes the slots of a master that is lost: a replica of it that most masters vote for.
//!
//! A master votes for a replica only when it has not heard of that replica's master for
//! `cluster-node-timeout`, once in an epoch. A master that has replicas serves its slots only until
//! then: it knows from the others when they have heard of it, so that most of them cannot have
//! voted against it. So two nodes never take writes for one slot at a time, as long as clocks run
//! alike.

use std::collections::BTreeSet;

use super::{Map, Peer};

/// A node that was forgotten is not heard of for so many milliseconds.
pub const FORGOTTEN: u64 = 60_000;

/// Votes, and who stands.
#[derive(Debug, Default)]
pub struct Ballot {
    /// The highest epoch that somebody has stood in.
    pub epoch: u64,
    /// The last one in which this node has voted.
    pub(super) voted: u64,
    /// The one that this node stands in, since when, and who has voted for it.
    stands: Option<(u64, u64, BTreeSet<String>)>,
}

impl Ballot {
    /// One in which this node has voted already.
    pub(super) fn of(epoch: u64, voted: u64) -> Self {
        Ballot {
            epoch,
            voted,
            stands: None,
        }
    }
}

impl Map {
    /// The masters that have slots, which are those that vote.
    pub fn voters(&self) -> impl Iterator<Item = &Peer> {
        let mut has_slots = vec![false; self.peers.len()];
        self.owners
            .iter()
            .flatten()
            .for_each(|at| has_slots[*at] = true);
        let peers = self.peers.iter().zip(has_slots);
        peers.filter_map(|(peer, has)| has.then_some(peer))
    }

    fn majority(&self) -> usize {
        self.voters().count() / 2 + 1
    }

    /// Until when this node's slots are its own, by its clock: from then on most of the masters may
    /// have voted for a replica of it.
    #[must_use]
    pub fn served_until(&self, timeout: u64) -> u64 {
        let me = &self.peers[0];
        if self.replicas(&me.id).next().is_none() {
            return u64::MAX;
        }
        let others = self.voters().filter(|it| it.id != me.id);
        // Who has just been started again does not know what the others have done meanwhile.
        let end = |it: &Peer| match it.seen.confirmed {
            0 => 0,
            confirmed => confirmed + timeout,
        };
        let mut ends: Vec<u64> = others.map(end).collect();
        ends.sort_unstable();
        // Without so many others there cannot be a majority of them.
        let last = ends.get(self.majority() - 1);
        last.copied().unwrap_or(u64::MAX)
    }

    /// Whether a node has not been heard of for long.
    fn is_silent(&self, peer: &Peer, now: u64, timeout: u64) -> bool {
        now.saturating_sub(peer.seen.heard) >= timeout
    }

    /// This replica stands for election if its master is lost, and no other one has more of its
    /// changes. Returns the epoch.
    pub fn stand(&mut self, now: u64, timeout: u64, offset: u64) -> Option<u64> {
        let me = &self.peers[0];
        let master = self.master()?;
        if !self.is_silent(master, now, timeout) || !self.voters().any(|it| it.id == master.id) {
            return None;
        }
        let mine = (offset, &me.id);
        let others = self.replicas(&master.id).filter(|it| it.id != me.id);
        let better = others.filter(|it| it.is_connected && (it.seen.offset, &it.id) > mine);
        // Who has less waits until those who have more have not succeeded.
        let rank = u64::try_from(better.count()).unwrap_or(u64::MAX);
        if now < master.seen.heard + timeout * (rank + 1) {
            return None;
        }
        let is_waiting = |it: &(u64, u64, BTreeSet<String>)| now < it.1 + 2 * timeout;
        if self.ballot.stands.as_ref().is_some_and(is_waiting) {
            return None;
        }
        Some(self.stand_now(now))
    }

    /// It stands for election.
    pub fn stand_now(&mut self, now: u64) -> u64 {
        let epoch = self.epoch() + 1;
        self.ballot.epoch = epoch;
        self.ballot.stands = Some((epoch, now, BTreeSet::new()));
        epoch
    }

    /// Whether this node votes for a replica. `is_forced`: although its master may be there.
    pub fn votes(
        &mut self,
        now: u64,
        timeout: u64,
        candidate: &str,
        (epoch, is_forced): (u64, bool),
    ) -> bool {
        let me = &self.peers[0];
        // A node that was started again does not know whom it has voted for, or heard of.
        let is_voter = now >= timeout && self.voters().any(|it| it.id == me.id);
        let master = self.find(candidate).and_then(|it| it.1.master.as_deref());
        let Some((_, master)) = master.and_then(|it| self.find(it)) else {
            return false;
        };
        let is_lost = master.id != me.id && self.is_silent(master, now, timeout);
        let is_new = epoch > self.ballot.voted && epoch >= self.epoch();
        if !is_voter || !is_new || !(is_lost || is_forced) {
            return false;
        }
        self.changes += 1;
        self.ballot.voted = epoch;
        self.ballot.epoch = epoch;
        true
    }

    /// A master has voted for this node. Whether that makes it a master.
    pub fn is_elected(&mut self, epoch: u64, voter: &str) -> bool {
        let majority = self.majority();
        let is_voter = self.voters().any(|it| it.id == voter);
        let Some((standing, _, votes)) = &mut self.ballot.stands else {
            return false;
        };
        if *standing != epoch || !is_voter || self.peers[0].master.is_none() {
            return false;
        }
        votes.insert(voter.to_owned());
        if votes.len() < majority {
            return false;
        }
        self.promote(epoch);
        true
    }

    /// This replica takes the place of its master, which is its replica from now on, as the others
    /// of that are.
    pub fn promote(&mut self, epoch: u64) {
        let Some(old) = self.peers[0].master.take() else {
            return;
        };
        self.changes += 1;
        self.ballot.stands = None;
        self.ballot.epoch = self.ballot.epoch.max(epoch);
        let me = self.peers[0].id.clone();
        let place = self.find(&old).map(|it| it.0);
        for owner in self
            .owners
            .iter_mut()
            .filter(|it| it.is_some() && **it == place)
        {
            *owner = Some(0);
        }
        self.peers[0].epoch = epoch;
        for peer in &mut self.peers[1..] {
            if peer.id == old || peer.master.as_ref() == Some(&old) {
                peer.master = Some(me.clone());
                peer.epoch = epoch;
            }
        }
    }
}
