//! Snapshots: a whole replica as bytes, for the disk and for replicas that cannot catch up by
//! single operations.
//!
//! ```text
//! versions, clock, versions of what is folded, horizon,
//! the place of each node at the horizon: node, parent, position, the move that has put it there,
//! moves that are folded and kept, with whether they would have made a cycle,
//! later moves, and writes
//! ```

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::fold::{Folded, FoldedMove, is_move};
use super::{Location, Replica};
use crate::batch::known;
use crate::coding::{self, Reader};
use crate::error::Malformed;
use crate::operation::{Edit, NodeId, Operation, Stamp};
use crate::{ROOT, TRASH};

impl Replica {
    /// Encodes the whole replica.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let mut to = Vec::new();
        coding::versions(&mut to, &self.versions);
        coding::number(&mut to, self.clock);
        coding::versions(&mut to, &self.folded.versions);
        coding::stamp(&mut to, self.horizon());
        let places = self.places_at_horizon();
        coding::number(&mut to, places.len() as u64);
        for (node, place) in places {
            coding::stamp(&mut to, node);
            coding::stamp(&mut to, place.parent);
            coding::position(&mut to, &place.position);
            coding::stamp(&mut to, place.by);
        }
        let folded_moves: Vec<&FoldedMove> = self.folded.moves.values().flatten().collect();
        coding::number(&mut to, folded_moves.len() as u64);
        for it in folded_moves {
            to.push(u8::from(it.is_cycle));
            coding::operation(&mut to, &it.operation);
        }
        let later: Vec<_> = self.operations().collect();
        coding::number(&mut to, later.len() as u64);
        for operation in later {
            coding::operation(&mut to, operation);
        }
        to
    }

    /// Returns where the nodes were before the moves that are not folded.
    fn places_at_horizon(&self) -> BTreeMap<NodeId, Location> {
        let now = self.nodes.iter();
        let now = now.filter_map(|(node, state)| Some((*node, state.place.clone()?)));
        let mut places: BTreeMap<NodeId, Location> = now.collect();
        for moved in self.moves.iter().rev().filter(|moved| !moved.is_cycle) {
            match &moved.before {
                Some(before) => drop(places.insert(moved.operation.node(), before.clone())),
                None => drop(places.remove(&moved.operation.node())),
            }
        }
        places
    }

    /// Decodes a replica from a snapshot. The number must be unique among all replicas everywhere.
    ///
    /// # Errors
    /// The bytes are not the snapshot of a replica.
    pub fn of_snapshot(id: u64, snapshot: &[u8]) -> Result<Self, Malformed> {
        let wrong = || Malformed("a snapshot is not whole".to_owned());
        let mut reader = Reader(snapshot);
        let read = read(&mut reader).filter(|_| reader.0.is_empty());
        let read = read.ok_or_else(wrong)?;
        read.check()?;
        let mut replica = Replica::new(id);
        replica.clock = read.clock;
        replica.versions = read.versions;
        for (node, place) in read.places {
            replica.put_at(node, Some(place));
        }
        if !replica.has_no_cycle() {
            return Err(Malformed("a snapshot has a cycle".to_owned()));
        }
        replica.folded = read.folded;
        let (mut moves, mut writes) = (Vec::new(), Vec::new());
        for operation in read.later {
            match is_move(&operation) {
                true => moves.push(Arc::new(operation)),
                false => writes.push(Arc::new(operation)),
            }
        }
        moves.sort_by_key(|operation| operation.stamp);
        writes.sort_by_key(|operation| operation.stamp);
        for operation in writes {
            if let Edit::Put(node, key, _) | Edit::Remove(node, key) = &operation.edit {
                replica.write(*node, key, &operation);
            }
        }
        replica.make_moves(moves);
        Ok(replica)
    }

    /// Returns whether every node's chain of ancestors ends.
    fn has_no_cycle(&self) -> bool {
        let (mut reached, mut left) = (0, Vec::new());
        let tops = self.nodes.iter().filter(|(_, it)| it.place.is_none());
        left.extend(tops.map(|(node, _)| *node));
        while let Some(node) = left.pop() {
            reached += 1;
            let children = self.nodes.get(&node).into_iter();
            let children = children.flat_map(|it| &it.children);
            left.extend(children.map(|(_, child)| *child));
        }
        reached == self.nodes.len()
    }
}

/// Decoded fields of a snapshot, not validated yet.
struct Read {
    versions: crate::Versions,
    clock: u64,
    folded: Folded,
    places: HashMap<NodeId, Location>,
    later: Vec<Operation>,
}

fn read(reader: &mut Reader<'_>) -> Option<Read> {
    let (versions, clock) = (reader.versions()?, reader.number()?);
    let folded_versions = reader.versions()?;
    let horizon = Some(reader.stamp()?).filter(|horizon| *horizon != ROOT);
    let place = |reader: &mut Reader<'_>| {
        let (node, parent) = (reader.stamp()?, reader.stamp()?);
        let (position, by) = (reader.position()?, reader.stamp()?);
        let place = Location {
            parent,
            position,
            by,
        };
        Some((node, place))
    };
    let count = reader.number()?;
    let places: Option<_> = (0..count).map(|_| place(reader)).collect();
    let mut moves: HashMap<NodeId, Vec<FoldedMove>> = HashMap::new();
    for _ in 0..reader.number()? {
        let is_cycle = reader.byte()? != 0;
        let operation = Arc::new(reader.operation(None)?);
        let folded_move = FoldedMove {
            operation,
            is_cycle,
        };
        let node = folded_move.operation.node();
        moves.entry(node).or_default().push(folded_move);
    }
    let count = reader.number()?;
    let mut later: Vec<Operation> = Vec::new();
    for _ in 0..count {
        let operation = reader.operation(later.last())?;
        later.push(operation);
    }
    Some(Read {
        versions,
        clock,
        folded: Folded {
            versions: folded_versions,
            horizon,
            moves,
        },
        places: places?,
        later,
    })
}

impl Read {
    fn check(&self) -> Result<(), Malformed> {
        let wrong = |what: &str| Err(Malformed(format!("a snapshot has {what}")));
        let folded_moves = self.folded.moves.values().flatten();
        let all = folded_moves
            .clone()
            .map(|it| &*it.operation)
            .chain(&self.later);
        for operation in all {
            operation.check(self.clock)?;
            if operation.stamp.0 > self.clock
                || operation.sequence > known(&self.versions, operation.stamp.1)
            {
                return wrong("operations beyond its end");
            }
        }
        let horizon = self.folded.horizon.unwrap_or(ROOT);
        let is_before = |operation: &Operation| is_move(operation) && operation.stamp <= horizon;
        let is_after = |it: &FoldedMove| !is_before(&it.operation);
        if self.later.iter().any(is_before) || folded_moves.clone().any(is_after) {
            return wrong("moves on the wrong side of its horizon");
        }
        let placed_by = |node: NodeId, by: Stamp| self.folded.get(node, by).is_some();
        let is_wrong = |(node, place): (&NodeId, &Location)| {
            [ROOT, TRASH].contains(node)
                || !place.position.is_valid()
                || !placed_by(*node, place.by)
        };
        match self.places.iter().any(is_wrong) {
            true => wrong("a node that no move has put where it is"),
            false => Ok(()),
        }
    }
}
