//! Encoder of values.

use super::kind;
use crate::store::{Value, View};

/// The encoded bytes.
#[derive(Debug, Default)]
pub(super) struct Writer {
    pub bytes: Vec<u8>,
}

/// Returns the byte that marks the type of a value.
pub(super) fn kind_of(view: View<'_>) -> u8 {
    match view {
        View::String(_) | View::Value(Value::String(_)) => kind::STRING,
        View::Value(Value::List(_)) => kind::LIST,
        View::Value(Value::Set(_)) => kind::SET,
        View::Value(Value::Hash(_)) => kind::HASH,
        View::Value(Value::SortedSet(_)) => kind::SORTED_SET,
        View::Value(Value::Stream(_)) => kind::STREAM_2,
    }
}

impl Writer {
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Writes a length, or another number that is mostly small.
    pub fn length(&mut self, length: u64) {
        match (u16::try_from(length), u32::try_from(length)) {
            (Ok(short), _) if short < 1 << 6 => self.bytes.push(short.to_be_bytes()[1]),
            (Ok(short), _) if short < 1 << 14 => {
                self.bytes.extend((short | 0x4000).to_be_bytes());
            }
            (_, Ok(long)) => {
                self.byte(0x80);
                self.bytes.extend(long.to_be_bytes());
            }
            _ => {
                self.byte(0x81);
                self.bytes.extend(length.to_be_bytes());
            }
        }
    }

    pub fn count(&mut self, count: usize) {
        self.length(u64::try_from(count).unwrap_or(u64::MAX));
    }

    /// Writes a string. The digits of a number are stored as the number.
    pub fn string(&mut self, text: &[u8]) {
        let number = crate::resp::number(text).filter(|_| text.len() <= 11);
        match number.and_then(|it| i32::try_from(it).ok()) {
            Some(number) => match (i8::try_from(number), i16::try_from(number)) {
                (Ok(number), _) => self.bytes.extend([0xc0, number.cast_unsigned()]),
                (_, Ok(number)) => {
                    self.byte(0xc1);
                    self.bytes.extend(number.to_le_bytes());
                }
                _ => {
                    self.byte(0xc2);
                    self.bytes.extend(number.to_le_bytes());
                }
            },
            None => self.plain(text),
        }
    }

    /// Writes a string without special encodings.
    pub fn plain(&mut self, text: &[u8]) {
        self.count(text.len());
        self.bytes.extend_from_slice(text);
    }

    pub fn object(&mut self, view: View<'_>) {
        match view {
            View::String(text) => self.string(text),
            View::Value(Value::String(text)) => self.string(text),
            View::Value(Value::List(list)) => {
                self.count(list.len());
                list.iter().for_each(|it| self.string(it));
            }
            View::Value(Value::Set(set)) => {
                self.count(set.len());
                set.iter().for_each(|it| self.string(it));
            }
            View::Value(Value::Hash(hash)) => {
                self.count(hash.len());
                for (field, value) in hash {
                    self.string(field);
                    self.string(value);
                }
            }
            View::Value(Value::SortedSet(set)) => {
                self.count(set.len());
                // The highest member comes first, as in redis-server.
                for (member, score) in set.iter().rev() {
                    self.string(member);
                    self.bytes.extend(score.to_le_bytes());
                }
            }
            View::Value(Value::Stream(stream)) => self.stream(stream),
        }
    }
}
