//! A simulated world for tests: three replicas, and a network that loses, repeats and reorders
//! messages.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use jungle_merge::parts::{Added, Asked, Progress, Transfers};
use jungle_merge::{
    Batch, Edit, Known, NodeId, Operation, Overruled, ROOT, Received, Replica, Request, Stamp,
    Where,
};

use super::reference::{Reference, Shape, key};

pub fn shape(replica: &Replica) -> Shape {
    let (mut shape, mut left) = (Vec::new(), vec![(ROOT, ROOT)]);
    while let Some((parent, node)) = left.pop() {
        shape.push((parent, node, replica.attributes(node).unwrap()));
        let children = replica.children(node).unwrap();
        left.extend(children.into_iter().rev().map(|child| (node, child)));
    }
    shape
}

/// Three replicas and their network.
pub struct World {
    pub replicas: Vec<Replica>,
    /// Batches on their way, each with its receiver.
    pub sent: Vec<(usize, Batch)>,
    pub all: Vec<Operation>,
    /// All nodes that exist or existed in any replica.
    pub nodes: Vec<NodeId>,
    /// Repeated edits: the old stamp and the new one.
    pub renamed: BTreeMap<Stamp, Stamp>,
    /// Each replica's snapshot transfers, and the number of parts that have arrived.
    transfers: Vec<Transfers>,
    part: usize,
    pub parts: usize,
    last_id: u64,
}

/// Size of a snapshot's parts, small enough for most snapshots to need several.
const PART: usize = 200;
/// One part in this number is lost, together with the connection.
const LOST: usize = 7;
const TREE: &str = "tree";

impl World {
    pub fn new() -> Self {
        World::with_parts_of(PART)
    }

    pub fn with_parts_of(part: usize) -> Self {
        World {
            replicas: (0..3).map(|number| Replica::new(100 + number)).collect(),
            sent: Vec::new(),
            all: Vec::new(),
            nodes: vec![ROOT],
            renamed: BTreeMap::new(),
            transfers: (0..3).map(|_| Transfers::with_parts_of(part)).collect(),
            part,
            parts: 0,
            last_id: 10_000,
        }
    }

    pub fn edit(&mut self, at: usize, what: u8, which: usize, other: usize) {
        let pick = |number: usize| self.nodes[self.nodes.len() - 1 - number % self.nodes.len()];
        let (node, second) = (pick(which), pick(other));
        let place = match other % 4 {
            0 => Where::First,
            1 => Where::Before(pick(other / 4)),
            2 => Where::After(pick(other / 4)),
            _ => Where::Last,
        };
        let key = format!("key{}", other % 3);
        let request = match what {
            0..3 => Request::Create(node, place),
            3..6 => Request::Move(node, second, place),
            6 => Request::Delete(node),
            7..10 => Request::Put(node, key, Bytes::from(vec![which as u8, what])),
            _ => Request::Remove(node, key),
        };
        let before = self.replicas[at].versions().clone();
        match self.replicas[at].edit(&request) {
            Err(_) => assert_eq!(*self.replicas[at].versions(), before),
            Ok(batch) => {
                let operation = batch.operations[0].clone();
                if let Edit::Create(..) = operation.edit {
                    self.nodes.push(operation.stamp);
                }
                self.all.push(operation);
                for to in (0..3).filter(|to| *to != at) {
                    self.sent.push((to, batch.clone()));
                }
            }
        }
    }

    /// Delivers one of the messages, and keeps a copy for later if `again`.
    pub fn deliver(&mut self, which: usize, again: bool) {
        if self.sent.is_empty() {
            return;
        }
        let (to, batch) = self.sent.swap_remove(which % self.sent.len());
        if again {
            self.sent.push((to, batch.clone()));
        }
        let _ = self.replicas[to].receive(&batch).unwrap();
    }

    /// Lets a replica fold what the others have.
    pub fn fold(&mut self, at: usize, others: &[usize], keep: usize) -> usize {
        let others = others.iter().map(|other| self.replicas[*other].known());
        let others: Vec<Known> = others.collect();
        self.replicas[at].fold(others.iter(), keep)
    }

    pub fn synchronize(&mut self, from: usize, to: usize) {
        for (from, to) in [(from, to), (to, from)] {
            if self.is_behind(to, from) {
                self.pass_part(from, to);
                // The replica cannot continue before it has all parts of the snapshot.
                if self.is_behind(to, from) {
                    return;
                }
            }
        }
        let theirs = self.replicas[to].versions().clone();
        for batch in self.replicas[from].missing(&theirs) {
            let received = self.replicas[to].receive(&batch).unwrap();
            assert!(matches!(received, Received::New(_)));
        }
    }

    fn is_behind(&self, one: usize, other: usize) -> bool {
        self.replicas[one].is_behind(&self.replicas[other].known())
    }

    /// Passes on the next part of each snapshot transfer.
    pub fn pass_parts(&mut self, is_apart: impl Fn(usize) -> bool) {
        for (from, to) in [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)] {
            let is_taking = self.transfers[to].progress(&from.to_string(), TREE);
            if is_taking.is_some() && !is_apart(from) && !is_apart(to) {
                self.pass_part(from, to);
            }
        }
    }

    /// Lets a replica that has to take a snapshot request the next part, which may get lost.
    fn pass_part(&mut self, from: usize, to: usize) {
        let (giver, taker) = (from.to_string(), to.to_string());
        let progress = self.transfers[to].progress(&giver, TREE);
        let known = self.replicas[from].known();
        let piece = match self.transfers[from].ask(&taker, TREE, progress, &known) {
            Asked::Next(piece) => piece,
            Asked::Done => return,
            Asked::Anew => {
                let snapshot = self.replicas[from].snapshot();
                let begun = self.transfers[from].begin(&taker, TREE, known, snapshot);
                begun.unwrap()
            }
        };
        self.parts += 1;
        if self.parts.is_multiple_of(LOST) {
            return;
        }
        let end = Progress(piece.0, piece.1);
        if let Added::Whole(snapshot) = self.transfers[to].add(&giver, TREE, piece) {
            // The final confirmation may be lost as well.
            if self.parts % LOST != 1 {
                let known = self.replicas[from].known();
                let asked = self.transfers[from].ask(&taker, TREE, Some(end), &known);
                assert_eq!(asked, Asked::Done);
            }
            self.take(to, &snapshot);
        }
    }

    fn take(&mut self, to: usize, snapshot: &[u8]) {
        self.transfers[to].forget(TREE);
        let last = &mut self.last_id;
        let number = || {
            *last += 1;
            *last
        };
        let taken = self.replicas[to].take(snapshot, number).unwrap();
        let made: BTreeSet<Stamp> = taken.renamed.iter().map(|(_, made)| *made).collect();
        for batch in taken.after {
            let operations = batch.operations.iter();
            let again = operations.filter(|it| made.contains(&it.stamp));
            self.all.extend(again.cloned());
            let others = (0..3).filter(|other| *other != to);
            self.sent.extend(others.map(|other| (other, batch.clone())));
        }
        self.renamed.extend(taken.renamed);
        self.replicas[to] = taken.replica;
    }

    /// Replaces a replica by an empty one, if another replica has everything that it has.
    pub fn join(&mut self, at: usize) -> bool {
        let is_kept = (0..3)
            .filter(|other| *other != at)
            .any(|other| self.replicas[other].includes(self.replicas[at].versions()));
        if is_kept {
            self.last_id += 1;
            self.replicas[at] = Replica::new(self.last_id);
            self.transfers[at] = Transfers::with_parts_of(self.part);
        }
        is_kept
    }

    /// Crashes a replica, and restarts it as a new one with what was acknowledged.
    pub fn restart(&mut self, at: usize) {
        self.last_id += 1;
        let snapshot = self.replicas[at].snapshot();
        self.replicas[at] = Replica::of_snapshot(self.last_id, &snapshot).unwrap();
        self.transfers[at] = Transfers::with_parts_of(self.part);
    }

    pub fn settle(&mut self) {
        for _ in 0..10_000 {
            for (from, to) in [(0, 1), (1, 2), (2, 0), (0, 1)] {
                self.synchronize(from, to);
            }
            let first = self.replicas[0].versions();
            if self.replicas.iter().all(|it| it.versions() == first) {
                return;
            }
        }
        panic!("they do not end equal");
    }

    /// Checks that all replicas are equal and follow the rule, and that edits without an effect are
    /// listed.
    pub fn check(&self) {
        let (first, overruled) = (shape(&self.replicas[0]), self.replicas[0].overruled());
        for replica in &self.replicas[1..] {
            assert_eq!(shape(replica), first);
            assert_eq!(replica.overruled(), overruled);
            assert_eq!(replica.versions(), self.replicas[0].versions());
        }
        // A replica that joins at the end has to be equal as well.
        let late = Replica::of_snapshot(7, &self.replicas[0].snapshot()).unwrap();
        assert_eq!(shape(&late), first);
        assert_eq!(late.overruled(), overruled);
        assert_eq!(first.len(), self.replicas[0].size());
        self.check_operations(&first, &overruled);
    }

    fn check_operations(&self, found: &Shape, overruled: &[Overruled]) {
        let made = self.all.iter().filter(|it| self.has(it));
        let reference = Reference::new(&made.cloned().collect::<Vec<_>>());
        assert_eq!(*found, reference.shape());
        let listed: Vec<Stamp> = overruled.iter().map(|it| it.operation.stamp).collect();
        assert_eq!(listed, reference.overruled());
        self.check_that_nothing_is_lost();
    }

    fn has(&self, operation: &Operation) -> bool {
        let versions = self.replicas[0].versions();
        let known = versions.get(&operation.stamp.1);
        known.is_some_and(|count| *count >= operation.sequence)
    }

    /// Checks that each edit which no replica keeps was repeated, or changed by a replica that had
    /// seen it.
    fn check_that_nothing_is_lost(&self) {
        let mut same: BTreeMap<(NodeId, Option<&str>), Vec<&Operation>> = BTreeMap::new();
        for operation in &self.all {
            let target = (operation.node(), key(operation));
            same.entry(target).or_default().push(operation);
        }
        for operation in self.all.iter().filter(|it| !self.has(it)) {
            let is_again = self.renamed.contains_key(&operation.stamp);
            let target = (operation.node(), key(operation));
            let is_seen = || same[&target].iter().any(|it| it.has_seen(operation));
            assert!(is_again || is_seen(), "{operation:?} is lost");
        }
    }
}
