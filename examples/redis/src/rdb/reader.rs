//! Decoder of values, in all forms since version 5 of redis-server.

use super::{kind, packed};
use crate::store::{Bytes, Hash, List, Set, SortedSet, Value};

/// The bytes that are not decoded yet. On any input, the reader does not panic, and allocates no
/// more than a multiple of the input's size.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

/// A length, or a special encoding of a string.
enum Length {
    Of(u64),
    Special(u8),
}

impl<'a> Reader<'a> {
    pub fn new(rest: &'a [u8]) -> Self {
        Reader { rest }
    }

    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Returns the number of remaining bytes.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub fn byte(&mut self) -> Option<u8> {
        self.array::<1>().map(|it| it[0])
    }

    fn any_length(&mut self) -> Option<Length> {
        let first = self.byte()?;
        Some(match first >> 6 {
            0 => Length::Of(u64::from(first)),
            1 => Length::Of(u64::from(first & 0x3f) << 8 | u64::from(self.byte()?)),
            2 if first == 0x80 => Length::Of(u64::from(u32::from_be_bytes(self.array()?))),
            2 if first == 0x81 => Length::Of(u64::from_be_bytes(self.array()?)),
            2 => return None,
            _ => Length::Special(first & 0x3f),
        })
    }

    pub fn number(&mut self) -> Option<u64> {
        match self.any_length()? {
            Length::Of(number) => Some(number),
            Length::Special(_) => None,
        }
    }

    /// Reads a number of elements. There must be at least a byte for each element.
    pub fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.rest.len()).then_some(count)
    }

    pub fn string(&mut self) -> Option<Bytes> {
        Some(match self.any_length()? {
            Length::Of(length) => self.take(usize::try_from(length).ok()?)?.into(),
            Length::Special(0) => digits(i8::from_le_bytes(self.array()?).into()),
            Length::Special(1) => digits(i16::from_le_bytes(self.array()?).into()),
            Length::Special(2) => digits(i32::from_le_bytes(self.array()?).into()),
            Length::Special(3) => {
                let (packed, length) = (self.number()?, self.number()?);
                let packed = self.take(usize::try_from(packed).ok()?)?;
                packed::inflate(packed, usize::try_from(length).ok()?)?.into()
            }
            Length::Special(_) => return None,
        })
    }

    /// Reads a score in the form of text.
    fn text_score(&mut self) -> Option<f64> {
        let score = match self.byte()? {
            253 => return None,
            254 => f64::INFINITY,
            255 => f64::NEG_INFINITY,
            length => crate::number::read(self.take(usize::from(length))?)?,
        };
        Some(score)
    }

    /// Reads a value, which must not be empty.
    pub fn object(&mut self, kind: u8) -> Option<Value> {
        let value = match kind {
            kind::STRING => Value::String(self.string()?.into_vec()),
            kind::LIST => Value::List(self.strings(1)?.into()),
            kind::SET => set(self.strings(1)?)?,
            kind::HASH => hash(self.strings(2)?)?,
            kind::SORTED_SET | kind::SORTED_SET_TEXT => {
                let mut members = Vec::new();
                for _ in 0..self.count()? {
                    let member = self.string()?;
                    let score = match kind {
                        kind::SORTED_SET => f64::from_le_bytes(self.array()?),
                        _ => self.text_score()?,
                    };
                    members.push((member, score));
                }
                sorted_set(members)?
            }
            kind::LIST_ZIPLIST => Value::List(packed::ziplist(&self.string()?)?.into()),
            kind::SET_NUMBERS => set(packed::numbers(&self.string()?)?)?,
            kind::SORTED_SET_ZIPLIST => scored(packed::ziplist(&self.string()?)?)?,
            kind::SORTED_SET_LISTPACK => scored(packed::listpack(&self.string()?)?)?,
            kind::HASH_ZIPLIST => hash(packed::ziplist(&self.string()?)?)?,
            kind::HASH_LISTPACK => hash(packed::listpack(&self.string()?)?)?,
            kind::QUICKLIST | kind::QUICKLIST_2 => Value::List(self.quicklist(kind)?),
            kind::STREAM | kind::STREAM_2 => Value::Stream(Box::new(self.stream(kind)?)),
            _ => return None,
        };
        (!value.is_empty()).then_some(value)
    }

    /// Reads elements with `each` strings per element.
    fn strings(&mut self, each: usize) -> Option<Vec<Bytes>> {
        let count = self.count()?.checked_mul(each)?;
        (0..count).map(|_| self.string()).collect()
    }

    fn quicklist(&mut self, kind: u8) -> Option<List> {
        const PLAIN: u64 = 1;
        const PACKED: u64 = 2;
        let mut list = List::new();
        for _ in 0..self.count()? {
            match kind {
                kind::QUICKLIST => list.extend(packed::ziplist(&self.string()?)?),
                _ => match self.number()? {
                    PLAIN => list.push_back(self.string()?),
                    PACKED => list.extend(packed::listpack(&self.string()?)?),
                    _ => return None,
                },
            }
        }
        Some(list)
    }
}

/// Returns a number as a string.
pub(super) fn digits(number: i64) -> Bytes {
    number.to_string().into_bytes().into()
}

fn set(members: Vec<Bytes>) -> Option<Value> {
    let count = members.len();
    let set: Set = members.into_iter().collect();
    // A duplicate member is a defect.
    (set.len() == count).then_some(Value::Set(set))
}

fn hash(words: Vec<Bytes>) -> Option<Value> {
    let count = words.len();
    let mut hash = Hash::default();
    let mut words = words.into_iter();
    while let (Some(field), Some(value)) = (words.next(), words.next()) {
        hash.insert(field, value);
    }
    (hash.len() * 2 == count).then_some(Value::Hash(hash))
}

fn sorted_set(members: Vec<(Bytes, f64)>) -> Option<Value> {
    let count = members.len();
    let mut set = SortedSet::default();
    for (member, score) in members {
        if score.is_nan() {
            return None;
        }
        set.set(&member, score);
    }
    (set.len() == count).then_some(Value::SortedSet(Box::new(set)))
}

/// Builds a sorted set from alternating members and scores.
fn scored(words: Vec<Bytes>) -> Option<Value> {
    let pairs = words.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return None;
    }
    let pairs = pairs.map(|pair| Some((pair[0].clone(), crate::number::read(&pair[1])?)));
    sorted_set(pairs.collect::<Option<_>>()?)
}
