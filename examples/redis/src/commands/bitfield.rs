//! The command BITFIELD: integers of any width within strings.

use super::KeysOf::First;
use super::{Call, Command, NOT_AN_INTEGER, Refusal, SYNTAX, command};
use crate::resp::number;

pub(super) const COMMANDS: &[Command] = &[
    command("bitfield", -2, First, |call| bitfield(call, false)).grows(),
    command("bitfield_ro", -2, First, |call| bitfield(call, true)),
];

/// A type of integers: `i8`, `u63`.
#[derive(Debug, Clone, Copy)]
struct Kind {
    is_signed: bool,
    bits: u32,
}

/// How to treat a number that overflows its type.
#[derive(Debug, Clone, Copy)]
enum Overflow {
    Wrap,
    Saturate,
    Fail,
}

#[derive(Debug, Clone, Copy)]
enum What {
    Get,
    Set(i64),
    Add(i64),
}

type Operation = (What, Kind, usize, Overflow);

fn kind(text: &[u8]) -> Result<Kind, Refusal> {
    const WRONG: Refusal = Refusal(
        "ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is.",
    );
    let (is_signed, digits) = match text {
        [b'i', rest @ ..] => (true, rest),
        [b'u', rest @ ..] => (false, rest),
        _ => return Err(WRONG),
    };
    let most = if is_signed { 64 } else { 63 };
    let bits = number(digits).and_then(|it| u32::try_from(it).ok());
    let bits = bits.filter(|it| (1..=most).contains(it)).ok_or(WRONG)?;
    Ok(Kind { is_signed, bits })
}

/// Parses an offset in bits. `#` counts integers of the type instead.
fn offset(text: &[u8], kind: Kind) -> Result<usize, Refusal> {
    const WRONG: Refusal = Refusal("ERR bit offset is not an integer or out of range");
    /// Number of bits of the longest string.
    const MOST: usize = 512 << 23;
    let (digits, unit) = match text.strip_prefix(b"#") {
        Some(rest) => (rest, kind.bits),
        None => (text, 1),
    };
    let at = number(digits).and_then(|it| it.checked_mul(i64::from(unit)));
    let at = at.and_then(|it| usize::try_from(it).ok());
    at.filter(|it| *it < MOST).ok_or(WRONG)
}

impl Kind {
    fn read(self, bytes: &[u8], at: usize) -> i64 {
        let mut value: u64 = 0;
        for bit in at..at + self.bits as usize {
            let byte = bytes.get(bit / 8).copied().unwrap_or(0);
            value = value << 1 | u64::from(byte >> (7 - bit % 8) & 1);
        }
        self.wrapped(value)
    }

    /// Returns the number with these lowest bits.
    #[expect(clippy::cast_possible_wrap, reason = "the bits are what is meant")]
    fn wrapped(self, value: u64) -> i64 {
        let free = 64 - self.bits;
        match self.is_signed {
            true => ((value << free) as i64) >> free,
            false => (value << free >> free) as i64,
        }
    }

    fn write(self, bytes: &mut [u8], at: usize, value: i64) {
        for (place, bit) in (at..at + self.bits as usize).rev().enumerate() {
            let mask = 1 << (7 - bit % 8);
            match value >> place & 1 {
                1 => bytes[bit / 8] |= mask,
                _ => bytes[bit / 8] &= !mask,
            }
        }
    }

    /// Fits a number into the type. Returns `None` if it overflows and the command asks to fail.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the bits are what is meant"
    )]
    fn fit(self, value: i128, overflow: Overflow) -> Option<i64> {
        let (low, high) = match self.is_signed {
            true => (
                -(1_i128 << (self.bits - 1)),
                (1_i128 << (self.bits - 1)) - 1,
            ),
            false => (0, (1_i128 << self.bits) - 1),
        };
        match overflow {
            _ if (low..=high).contains(&value) => Some(value as i64),
            Overflow::Fail => None,
            Overflow::Saturate => Some(value.clamp(low, high) as i64),
            Overflow::Wrap => Some(self.wrapped(value as u64)),
        }
    }
}

fn operations(words: &[&[u8]], only_reads: bool) -> Result<Vec<Operation>, Refusal> {
    let (mut operations, mut overflow, mut rest) = (Vec::new(), Overflow::Wrap, words);
    while let Some((word, more)) = rest.split_first() {
        let word = word.to_ascii_lowercase();
        let (what, more) = match (word.as_slice(), more) {
            (b"overflow", [how, more @ ..]) => {
                overflow = match how.to_ascii_lowercase().as_slice() {
                    b"wrap" => Overflow::Wrap,
                    b"sat" => Overflow::Saturate,
                    b"fail" => Overflow::Fail,
                    _ => return Err(Refusal("ERR Invalid OVERFLOW type specified")),
                };
                rest = more;
                continue;
            }
            (b"get", [name, at, more @ ..]) => {
                let kind = kind(name)?;
                operations.push((What::Get, kind, offset(at, kind)?, overflow));
                rest = more;
                continue;
            }
            (b"set", [_, _, text, more @ ..]) => (What::Set as fn(i64) -> What, (text, more)),
            (b"incrby", [_, _, text, more @ ..]) => (What::Add as fn(i64) -> What, (text, more)),
            _ => return Err(SYNTAX),
        };
        let kind = kind(rest[1])?;
        let at = offset(rest[2], kind)?;
        let value = number(more.0).ok_or(NOT_AN_INTEGER)?;
        operations.push((what(value), kind, at, overflow));
        rest = more.1;
    }
    let is_get = |it: &Operation| matches!(it.0, What::Get);
    if only_reads && !operations.iter().all(is_get) {
        return Err(Refusal("ERR BITFIELD_RO only supports the GET subcommand"));
    }
    Ok(operations)
}

fn bitfield(call: &mut Call<'_, '_>, only_reads: bool) -> Result<(), Refusal> {
    let key = call.arguments[0];
    let operations = operations(&call.arguments[1..], only_reads)?;
    let mut bytes = call.string(key)?.unwrap_or_default().to_vec();
    let writes = operations.iter().filter(|it| !matches!(it.0, What::Get));
    let end = writes.map(|(_, kind, at, _)| at + kind.bits as usize).max();
    if let Some(end) = end {
        let len = bytes.len().max(end.div_ceil(8));
        bytes.resize(len, 0);
    }
    let mut results = Vec::with_capacity(operations.len());
    let mut has_changed = false;
    for (what, kind, at, overflow) in operations {
        let before = kind.read(&bytes, at);
        let (value, answers_old) = match what {
            What::Get => {
                results.push(Some(before));
                continue;
            }
            What::Set(value) => {
                // For unsigned types, the bits are the value.
                let value = match kind.is_signed {
                    true => i128::from(value),
                    false => i128::from(value.cast_unsigned()),
                };
                (value, true)
            }
            What::Add(by) => (i128::from(before) + i128::from(by), false),
        };
        let fitting = kind.fit(value, overflow);
        if let Some(value) = fitting {
            kind.write(&mut bytes, at, value);
            has_changed = true;
        }
        results.push(fitting.map(|value| if answers_old { before } else { value }));
    }
    if has_changed || end.is_some() {
        let keys = call.locked.keys(key);
        let expires = keys.expiry(key);
        keys.set_string(key, &bytes, expires);
    }
    call.replies.array(results.len());
    for result in results {
        match result {
            Some(number) => call.replies.integer(number),
            None => call.replies.nil(),
        }
    }
    Ok(())
}
