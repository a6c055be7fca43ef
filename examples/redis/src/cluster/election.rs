//! Elections: if a master is lost, one of its replicas takes over its slots after most masters have
//! voted for it.
//!
//! A master votes once in an epoch, and only for a replica whose master has been silent for
//! `cluster-node-timeout`. A master with replicas serves its slots only as long as most masters
//! cannot have voted against it; it knows that from the times at which they last heard from it. So
//! two nodes never accept writes for one slot at the same time, provided that their clocks run at
//! one speed.

use std::collections::BTreeSet;

use super::{Map, Peer};

/// How long a forgotten node is ignored, in milliseconds (CLUSTER FORGET).
pub const FORGOTTEN: u64 = 60_000;

/// This node's votes and candidacy.
#[derive(Debug, Default)]
pub struct Ballot {
    /// The highest epoch in which any node has stood for election.
    pub epoch: u64,
    /// The last epoch in which this node has voted.
    pub(super) voted: u64,
    /// This node's candidacy: its epoch, its time, and the masters that have voted for it.
    stands: Option<(u64, u64, BTreeSet<String>)>,
}

impl Ballot {
    /// Creates the ballot of a node that has already voted in an epoch.
    pub(super) fn of(epoch: u64, voted: u64) -> Self {
        Ballot {
            epoch,
            voted,
            stands: None,
        }
    }
}

impl Map {
    /// Returns the nodes that vote: the masters with slots.
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

    /// Returns until when, by this node's clock, its slots are certainly its own. After that, most
    /// masters may have voted for one of its replicas.
    #[must_use]
    pub fn served_until(&self, timeout: u64) -> u64 {
        let me = &self.peers[0];
        if self.replicas(&me.id).next().is_none() {
            return u64::MAX;
        }
        let others = self.voters().filter(|it| it.id != me.id);
        // A node that was just restarted does not know what the others have done in the meantime.
        let end = |it: &Peer| match it.seen.confirmed {
            0 => 0,
            confirmed => confirmed + timeout,
        };
        let mut ends: Vec<u64> = others.map(end).collect();
        ends.sort_unstable();
        // Without this many others, there cannot be a majority against this node.
        let last = ends.get(self.majority() - 1);
        last.copied().unwrap_or(u64::MAX)
    }

    /// Returns whether a node has been silent for the timeout.
    fn is_silent(&self, peer: &Peer, now: u64, timeout: u64) -> bool {
        now.saturating_sub(peer.seen.heard) >= timeout
    }

    /// Stands for election if the master is lost and no other replica has more of its changes.
    /// Returns the epoch.
    pub fn stand(&mut self, now: u64, timeout: u64, offset: u64) -> Option<u64> {
        let me = &self.peers[0];
        let master = self.master()?;
        if !self.is_silent(master, now, timeout) || !self.voters().any(|it| it.id == master.id) {
            return None;
        }
        let mine = (offset, &me.id);
        let others = self.replicas(&master.id).filter(|it| it.id != me.id);
        let better = others.filter(|it| it.is_connected && (it.seen.offset, &it.id) > mine);
        // A replica with fewer changes waits longer, so that those with more try first.
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

    /// Stands for election at once. Returns the epoch.
    pub fn stand_now(&mut self, now: u64) -> u64 {
        let epoch = self.epoch() + 1;
        self.ballot.epoch = epoch;
        self.ballot.stands = Some((epoch, now, BTreeSet::new()));
        epoch
    }

    /// Returns whether this node votes for a replica. `is_forced` means that the replica's master
    /// may still be alive.
    pub fn votes(
        &mut self,
        now: u64,
        timeout: u64,
        candidate: &str,
        (epoch, is_forced): (u64, bool),
    ) -> bool {
        let me = &self.peers[0];
        // A node that was just restarted knows neither its earlier votes nor when it last heard
        // from others.
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

    /// Counts a master's vote for this node. Returns whether that wins the election.
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

    /// Makes this replica the master. The old master and its other replicas become replicas of this
    /// node.
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
