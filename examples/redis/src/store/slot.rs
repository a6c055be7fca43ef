//! A slot of a stripe's table: a key with its value.
//!
//! A short key with a short string is stored in one block of memory: `[length of the key | has a
//! time][last use][time]? key value`. So most keys only need a pointer and a length in the table,
//! and one small allocation.

use super::value::Value;

/// Maximum length of a key and of a string in a block.
const SHORT: usize = 127;
/// Flag in the first byte: the block has a time of expiry.
const EXPIRES: u8 = 0x80;
/// Size of the length and the last use.
const HEAD: usize = 5;
/// Size of the time of expiry.
const TIME: usize = 8;

/// A key with its value.
#[derive(Debug)]
pub(super) enum Slot {
    Short(Box<[u8]>),
    Long(Box<Long>),
}

/// Any other key.
#[derive(Debug)]
pub(super) struct Long {
    pub key: Box<[u8]>,
    pub value: Value,
    pub expires: u64,
    pub used: u32,
    /// Approximate size of the value after its last change.
    pub size: usize,
}

/// A view of a key's value.
#[derive(Debug, Clone, Copy)]
pub enum View<'a> {
    /// A string.
    String(&'a [u8]),
    /// A value of any type.
    Value(&'a Value),
}

impl<'a> View<'a> {
    /// Returns the bytes of a string.
    #[must_use]
    pub fn string(self) -> Option<&'a [u8]> {
        match self {
            View::String(bytes) => Some(bytes),
            View::Value(Value::String(bytes)) => Some(bytes),
            View::Value(_) => None,
        }
    }

    /// Returns an owned copy of the value.
    #[must_use]
    pub fn to_value(self) -> Value {
        match self {
            View::String(bytes) => Value::String(bytes.to_vec()),
            View::Value(value) => value.clone(),
        }
    }

    /// Returns the word in the reply of TYPE.
    #[must_use]
    pub fn type_name(self) -> &'static str {
        match self {
            View::String(_) => "string",
            View::Value(value) => value.type_name(),
        }
    }
}

impl Slot {
    /// Creates a slot for a key with a string.
    pub fn of_string(key: &[u8], text: &[u8], expires: u64, used: u32) -> Self {
        if key.len() > SHORT || text.len() > SHORT {
            return Slot::long(key, Value::String(text.to_vec()), expires, used);
        }
        let time = if expires == 0 { 0 } else { TIME };
        let mut block = Vec::with_capacity(HEAD + time + key.len() + text.len());
        let has_time = if expires == 0 { 0 } else { EXPIRES };
        block.push(u8::try_from(key.len()).unwrap_or_default() | has_time);
        block.extend_from_slice(&used.to_le_bytes());
        if expires != 0 {
            block.extend_from_slice(&expires.to_le_bytes());
        }
        block.extend_from_slice(key);
        block.extend_from_slice(text);
        Slot::Short(block.into_boxed_slice())
    }

    pub fn long(key: &[u8], value: Value, expires: u64, used: u32) -> Self {
        let size = value.memory();
        Slot::Long(Box::new(Long {
            key: key.into(),
            value,
            expires,
            used,
            size,
        }))
    }

    /// Returns the range of the key in a block.
    fn key_range(block: &[u8]) -> std::ops::Range<usize> {
        let begin = if block[0] & EXPIRES == 0 {
            HEAD
        } else {
            HEAD + TIME
        };
        begin..begin + usize::from(block[0] & !EXPIRES)
    }

    pub fn key(&self) -> &[u8] {
        match self {
            Slot::Short(block) => &block[Slot::key_range(block)],
            Slot::Long(long) => &long.key,
        }
    }

    pub fn view(&self) -> View<'_> {
        match self {
            Slot::Short(block) => View::String(&block[Slot::key_range(block).end..]),
            Slot::Long(long) => View::Value(&long.value),
        }
    }

    /// Returns the time of expiry in milliseconds since 1970; 0 if there is none.
    pub fn expires(&self) -> u64 {
        match self {
            Slot::Short(block) if block[0] & EXPIRES != 0 => {
                let bytes = block[HEAD..HEAD + TIME].try_into();
                bytes.map_or(0, u64::from_le_bytes)
            }
            Slot::Short(_) => 0,
            Slot::Long(long) => long.expires,
        }
    }

    pub fn set_expires(&mut self, expires: u64) {
        let used = self.used();
        match self {
            Slot::Long(long) => long.expires = expires,
            Slot::Short(block) => {
                let key = Slot::key_range(block);
                let text = &block[key.end..];
                *self = Slot::of_string(&block[key], text, expires, used);
            }
        }
    }

    /// Returns the last use, in the unit of the policy.
    pub fn used(&self) -> u32 {
        match self {
            Slot::Short(block) => {
                let bytes = block[1..HEAD].try_into();
                bytes.map_or(0, u32::from_le_bytes)
            }
            Slot::Long(long) => long.used,
        }
    }

    pub fn set_used(&mut self, used: u32) {
        match self {
            Slot::Short(block) => block[1..HEAD].copy_from_slice(&used.to_le_bytes()),
            Slot::Long(long) => long.used = used,
        }
    }

    /// Overwrites the string in place, if the new one has the same length. Returns whether it did.
    pub fn overwrite(&mut self, text: &[u8]) -> bool {
        let Slot::Short(block) = self else {
            return false;
        };
        let value = Slot::key_range(block).end..;
        let fits = block[value.clone()].len() == text.len();
        if fits {
            block[value].copy_from_slice(text);
        }
        fits
    }

    /// Returns the value for modification. If it is in a block, it is moved out of it.
    pub fn value_mut(&mut self) -> &mut Value {
        if let Slot::Short(_) = self {
            let (expires, used) = (self.expires(), self.used());
            *self = Slot::long(self.key(), self.view().to_value(), expires, used);
        }
        match self {
            Slot::Long(long) => &mut long.value,
            // The code above has just replaced the block.
            Slot::Short(_) => unreachable!("a block has become a value"),
        }
    }

    pub fn into_value(self) -> Value {
        match self {
            Slot::Short(_) => self.view().to_value(),
            Slot::Long(long) => long.value,
        }
    }

    /// Returns the approximate size in bytes.
    pub fn memory(&self) -> usize {
        /// Overhead of an allocation in bytes.
        const BLOCK: usize = 8;
        match self {
            Slot::Short(block) => block.len() + BLOCK,
            Slot::Long(long) => long.key.len() + long.size + size_of::<Long>() + 2 * BLOCK,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_key_is_sixteen_bytes_and_a_block() {
        assert_eq!(size_of::<Slot>(), 16);
        let mut slot = Slot::of_string(b"key", b"text", 0, 7);
        slot.set_expires(99);
        slot.set_used(8);
        assert_eq!(
            (slot.key(), slot.expires(), slot.used()),
            (&b"key"[..], 99, 8)
        );
        assert_eq!(slot.view().string(), Some(&b"text"[..]));
        assert!(slot.overwrite(b"TEXT") && !slot.overwrite(b"longer"));
        slot.set_expires(0);
        assert_eq!(slot.view().string(), Some(&b"TEXT"[..]));
        slot.value_mut();
        assert_eq!(
            (slot.key(), slot.expires(), slot.used()),
            (&b"key"[..], 0, 8)
        );
    }
}
