//! The binary form of batches, for the log. Integers are stored in groups of seven bits, the lowest
//! group first.

use std::sync::Arc;

use bytes::Bytes;

use crate::batch::Batch;
use crate::operation::{Edit, Operation, Stamp, Versions};
use crate::position::Position;

/// Appends a batch.
pub(crate) fn batch(to: &mut Vec<u8>, batch: &Batch) {
    versions(to, &batch.base);
    versions(to, &batch.upto);
    number(to, batch.operations.len() as u64);
    batch.operations.iter().for_each(|it| operation(to, it));
}

pub(crate) fn operation(to: &mut Vec<u8>, operation: &Operation) {
    stamp(to, operation.stamp);
    number(to, operation.sequence);
    versions(to, &operation.seen);
    edit(to, &operation.edit);
}

fn edit(to: &mut Vec<u8>, edit: &Edit) {
    match edit {
        Edit::Create(parent, at) => {
            to.push(0);
            stamp(to, *parent);
            position(to, at);
        }
        Edit::Move(node, parent, at) => {
            to.push(1);
            stamp(to, *node);
            stamp(to, *parent);
            position(to, at);
        }
        Edit::Delete(node) => {
            to.push(2);
            stamp(to, *node);
        }
        Edit::Put(node, key, value) => {
            to.push(3);
            stamp(to, *node);
            bytes(to, key.as_bytes());
            bytes(to, value);
        }
        Edit::Remove(node, key) => {
            to.push(4);
            stamp(to, *node);
            bytes(to, key.as_bytes());
        }
    }
}

pub(crate) fn versions(to: &mut Vec<u8>, versions: &Versions) {
    number(to, versions.len() as u64);
    for (replica, count) in versions {
        number(to, *replica);
        number(to, *count);
    }
}

pub(crate) fn stamp(to: &mut Vec<u8>, Stamp(time, replica): Stamp) {
    number(to, time);
    number(to, replica);
}

pub(crate) fn position(to: &mut Vec<u8>, position: &Position) {
    to.extend_from_slice(&position.whole.to_le_bytes());
    bytes(to, &position.fraction);
}

pub(crate) fn bytes(to: &mut Vec<u8>, bytes: &[u8]) {
    number(to, bytes.len() as u64);
    to.extend_from_slice(bytes);
}

pub(crate) fn number(to: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

/// Reader of the bytes that are not decoded yet.
pub(crate) struct Reader<'b>(pub(crate) &'b [u8]);

impl Reader<'_> {
    pub(crate) fn batch(&mut self) -> Option<Batch> {
        let (base, upto) = (self.versions()?, self.versions()?);
        let count = self.number()?;
        let mut operations: Vec<Operation> = Vec::new();
        for _ in 0..count {
            let operation = self.operation(operations.last())?;
            operations.push(operation);
        }
        Some(Batch {
            base,
            upto,
            operations,
        })
    }

    /// Reads an operation. Most operations have seen what the previous one has, and store only that
    /// fact.
    pub(crate) fn operation(&mut self, before: Option<&Operation>) -> Option<Operation> {
        let (stamp, sequence) = (self.stamp()?, self.number()?);
        let seen = self.versions()?;
        let before = before.map(|operation| &operation.seen);
        let same = before.filter(|before| ***before == seen).cloned();
        Some(Operation {
            stamp,
            sequence,
            seen: same.unwrap_or_else(|| Arc::new(seen)),
            edit: self.edit()?,
        })
    }

    fn edit(&mut self) -> Option<Edit> {
        Some(match self.byte()? {
            0 => Edit::Create(self.stamp()?, self.position()?),
            1 => Edit::Move(self.stamp()?, self.stamp()?, self.position()?),
            2 => Edit::Delete(self.stamp()?),
            3 => {
                let (node, key) = (self.stamp()?, self.text()?);
                Edit::Put(node, key, Bytes::copy_from_slice(self.bytes()?))
            }
            4 => Edit::Remove(self.stamp()?, self.text()?),
            _ => return None,
        })
    }

    pub(crate) fn versions(&mut self) -> Option<Versions> {
        let count = self.number()?;
        let pairs = (0..count).map(|_| Some((self.number()?, self.number()?)));
        pairs.collect()
    }

    pub(crate) fn stamp(&mut self) -> Option<Stamp> {
        Some(Stamp(self.number()?, self.number()?))
    }

    pub(crate) fn position(&mut self) -> Option<Position> {
        let (whole, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(Position {
            whole: i64::from_le_bytes(*whole),
            fraction: Bytes::copy_from_slice(self.bytes()?),
        })
    }

    pub(crate) fn text(&mut self) -> Option<String> {
        let text = std::str::from_utf8(self.bytes()?).ok()?;
        Some(text.to_owned())
    }

    pub(crate) fn bytes(&mut self) -> Option<&[u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7f);
            if part << shift >> shift != part {
                return None;
            }
            value |= part << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
}
