//! Sorted sets.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::hash::BuildHasher;

use hashbrown::HashMap;

use super::value::Bytes;

/// Members with their scores, indexed by member and by order.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct SortedSet {
    scores: HashMap<Bytes, f64>,
    order: BTreeSet<(Score, Bytes)>,
}

/// A score, which is not NaN.
#[derive(Debug, Clone, Copy)]
struct Score(f64);

impl PartialEq for Score {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Score {}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    /// 0 and -0 are equal scores.
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.partial_cmp(&other.0).unwrap_or(Ordering::Equal)
    }
}

impl SortedSet {
    /// Returns the number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Returns whether there are no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// Returns a member's score.
    #[must_use]
    pub fn score(&self, member: &[u8]) -> Option<f64> {
        self.scores.get(member).copied()
    }

    /// Sets a member's score.
    pub fn set(&mut self, member: &[u8], score: f64) {
        if let Some(before) = self.scores.insert(member.into(), score) {
            self.order.remove(&(Score(before), member.into()));
        }
        self.order.insert((Score(score), member.into()));
    }

    /// Removes a member.
    pub fn remove(&mut self, member: &[u8]) -> bool {
        let Some((member, score)) = self.scores.remove_entry(member) else {
            return false;
        };
        self.order.remove(&(Score(score), member))
    }

    /// Iterates over all members in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&[u8], f64)> {
        self.order
            .iter()
            .map(|(score, member)| (&**member, score.0))
    }

    /// Iterates over the members in order, starting at a score.
    pub fn from(&self, score: f64) -> impl Iterator<Item = (&[u8], f64)> {
        let members = self.order.range((Score(score), Bytes::default())..);
        members.map(|(score, member)| (&**member, score.0))
    }

    /// Returns the hash of a member, which orders the members for ZSCAN.
    #[must_use]
    pub fn hash(&self, member: &[u8]) -> u64 {
        self.scores.hasher().hash_one(member)
    }

    /// Removes and returns the member with the lowest or the highest score.
    pub fn pop(&mut self, is_highest: bool) -> Option<(Bytes, f64)> {
        let (score, member) = match is_highest {
            false => self.order.pop_first(),
            true => self.order.pop_last(),
        }?;
        self.scores.remove(&member);
        Some((member, score.0))
    }
}
