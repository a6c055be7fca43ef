//! Streams in redis-server's format: nodes of entries, each a listpack that starts with the fields
//! of its first entry; and groups.

use super::kind;
use super::packed::{self, Listpack};
use super::reader::Reader;
use super::write::Writer;
use crate::store::{Bytes, Consumer, Fields, Group, Id, Pending, Stream};

/// Number of entries in a node.
const NODE: usize = 100;
/// Flags of an entry.
const DELETED: i64 = 1;
const SAME_FIELDS: i64 = 2;

fn raw(id: Id) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&id.time.to_be_bytes());
    bytes[8..].copy_from_slice(&id.number.to_be_bytes());
    bytes
}

fn difference(one: u64, other: u64) -> i64 {
    one.wrapping_sub(other).cast_signed()
}

fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Encodes a node. Returns it with the id that identifies it.
fn node(entries: &[(&Id, &Fields)]) -> (Id, Vec<u8>) {
    let mut pack = Listpack::new();
    let (first, fields) = entries
        .first()
        .map_or((Id::default(), &[][..]), |it| (*it.0, it.1));
    let names = |fields: &[Bytes]| -> Vec<Bytes> { fields.iter().step_by(2).cloned().collect() };
    let master = names(fields);
    pack.number(signed(entries.len()));
    pack.number(0);
    pack.number(signed(master.len()));
    master.iter().for_each(|it| pack.string(it));
    pack.number(0);
    for (id, fields) in entries {
        let is_same = names(fields) == master;
        pack.number(if is_same { SAME_FIELDS } else { 0 });
        pack.number(difference(id.time, first.time));
        pack.number(difference(id.number, first.number));
        let count = match is_same {
            true => {
                fields
                    .iter()
                    .skip(1)
                    .step_by(2)
                    .for_each(|it| pack.string(it));
                master.len() + 3
            }
            false => {
                pack.number(signed(fields.len() / 2));
                fields.iter().for_each(|it| pack.string(it));
                fields.len() + 4
            }
        };
        pack.number(signed(count));
    }
    (first, pack.finish())
}

impl Writer {
    fn id(&mut self, id: Id) {
        self.length(id.time);
        self.length(id.number);
    }

    pub(super) fn stream(&mut self, stream: &Stream) {
        let entries: Vec<(&Id, &Fields)> = stream.entries.iter().collect();
        self.count(entries.len().div_ceil(NODE));
        for piece in entries.chunks(NODE) {
            let (first, pack) = node(piece);
            self.plain(&raw(first));
            self.plain(&pack);
        }
        self.count(entries.len());
        self.id(stream.last);
        self.id(stream.first().unwrap_or_default());
        self.id(stream.deleted);
        self.length(stream.added);
        self.count(stream.groups.len());
        for (name, group) in &stream.groups {
            self.string(name);
            self.id(group.last);
            // An unknown number is stored as the highest one.
            self.length(group.read.unwrap_or(u64::MAX));
            self.count(group.pending.len());
            for (id, pending) in &group.pending {
                self.bytes.extend(raw(*id));
                self.bytes.extend(pending.time.to_le_bytes());
                self.length(pending.count);
            }
            self.count(group.consumers.len());
            for (name, consumer) in &group.consumers {
                self.string(name);
                self.bytes.extend(consumer.seen.to_le_bytes());
                self.count(consumer.pending.len());
                consumer
                    .pending
                    .iter()
                    .for_each(|id| self.bytes.extend(raw(*id)));
            }
        }
    }
}

impl Reader<'_> {
    fn id(&mut self) -> Option<Id> {
        Some(Id::new(self.number()?, self.number()?))
    }

    fn raw_id(&mut self) -> Option<Id> {
        Some(Id::new(
            u64::from_be_bytes(self.array()?),
            u64::from_be_bytes(self.array()?),
        ))
    }

    pub(super) fn stream(&mut self, kind: u8) -> Option<Stream> {
        let mut stream = Stream::default();
        for _ in 0..self.count()? {
            let key = self.string()?;
            let mut key = Reader::new(&key);
            let first = key.raw_id()?;
            entries(first, packed::listpack(&self.string()?)?, &mut stream)?;
        }
        let length = self.number()?;
        stream.last = self.id()?;
        match kind {
            kind::STREAM_2 => {
                self.id()?;
                stream.deleted = self.id()?;
                stream.added = self.number()?;
            }
            _ => stream.added = length,
        }
        let is_whole = u64::try_from(stream.entries.len()) == Ok(length);
        if !is_whole || stream.entries.keys().next_back() > Some(&stream.last) {
            return None;
        }
        for _ in 0..self.count()? {
            let name = self.string()?;
            let group = self.group(kind)?;
            stream.groups.insert(name, group);
        }
        Some(stream)
    }

    fn group(&mut self, kind: u8) -> Option<Group> {
        let mut group = Group {
            last: self.id()?,
            ..Group::default()
        };
        if kind == kind::STREAM_2 {
            group.read = Some(self.number()?).filter(|it| i64::try_from(*it).is_ok());
        }
        for _ in 0..self.count()? {
            let id = self.raw_id()?;
            let pending = Pending {
                time: u64::from_le_bytes(self.array()?),
                count: self.number()?,
                consumer: Bytes::default(),
            };
            group.pending.insert(id, pending);
        }
        for _ in 0..self.count()? {
            let name = self.string()?;
            let mut consumer = Consumer {
                seen: u64::from_le_bytes(self.array()?),
                ..Consumer::default()
            };
            for _ in 0..self.count()? {
                let id = self.raw_id()?;
                group.pending.get_mut(&id)?.consumer = name.clone();
                consumer.pending.insert(id);
            }
            group.consumers.insert(name, consumer);
        }
        // Each pending entry must have a consumer.
        let owned: usize = group.consumers.values().map(|it| it.pending.len()).sum();
        (owned == group.pending.len()).then_some(group)
    }
}

/// Decodes the entries of a node.
fn entries(first: Id, words: Vec<Bytes>, stream: &mut Stream) -> Option<()> {
    let mut words = words.into_iter();
    let number = |word: Option<Bytes>| crate::resp::number(&word?);
    let count = |word: Option<Bytes>| usize::try_from(number(word)?).ok();
    let entries = count(words.next())?.checked_add(count(words.next())?)?;
    let fields = count(words.next())?;
    let master: Vec<Bytes> = words.by_ref().take(fields).collect();
    words.next()?;
    for _ in 0..entries {
        let flags = number(words.next())?;
        let time = first.time.wrapping_add_signed(number(words.next())?);
        let id = Id::new(
            time,
            first.number.wrapping_add_signed(number(words.next())?),
        );
        let found: Fields = match flags & SAME_FIELDS {
            0 => {
                let pairs = count(words.next())?;
                words.by_ref().take(pairs.checked_mul(2)?).collect()
            }
            _ => {
                let values = words.by_ref().take(fields);
                master
                    .iter()
                    .cloned()
                    .zip(values)
                    .flat_map(|(field, value)| [field, value])
                    .collect()
            }
        };
        words.next()?;
        if flags & DELETED == 0 {
            stream.entries.insert(id, found);
        }
    }
    Some(())
}
