//! The format of a log file, and the scanner that finds its batches.
//!
//! ```text
//! log:    magic (8 bytes), salt (8), length of the name (1), name, CRC-32 of all that (4), batches
//! batch:  length of the payload (8), CRC-32 of the payload (4), CRC-32 of the head (4), payload
//! ```
//!
//! Numbers are little endian. The checksum in a head also covers the salt of the file and the
//! offset of the batch. So the scanner never mistakes bytes that were copied from another log, or
//! from another place in this one, for a batch, even if a user stores a log as a value.

use std::ops::Range;

const MAGIC: &[u8; 8] = b"jungle01";
const HEAD: usize = 16;

/// Returns the header of a new log.
pub(crate) fn header(name: &str, salt: u64) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&salt.to_le_bytes());
    let name = &name.as_bytes()[..name.len().min(255)];
    bytes.push(name.len() as u8);
    bytes.extend_from_slice(name);
    let sum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}

/// Reads the salt of the log with this name, and the length of its header.
pub(crate) fn read_header(bytes: &[u8], name: &str) -> Option<(u64, usize)> {
    let salt = u64::from_le_bytes(bytes.get(8..16)?.try_into().ok()?);
    let expected = header(name, salt);
    bytes
        .starts_with(&expected)
        .then_some((salt, expected.len()))
}

/// Returns the head of a batch that begins at this offset.
pub(crate) fn head(salt: u64, offset: u64, payload: &[u8]) -> [u8; HEAD] {
    let length = payload.len() as u64;
    let sum = crc32fast::hash(payload);
    let mut head = [0; HEAD];
    head[..8].copy_from_slice(&length.to_le_bytes());
    head[8..12].copy_from_slice(&sum.to_le_bytes());
    let sum = sum_of_head(salt, offset, &head[..12]);
    head[12..].copy_from_slice(&sum.to_le_bytes());
    head
}

fn sum_of_head(salt: u64, offset: u64, head: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&salt.to_le_bytes());
    hasher.update(&offset.to_le_bytes());
    hasher.update(head);
    hasher.finalize()
}

/// Result of scanning a log: its batches, and how it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batches {
    /// The payloads of the whole batches, as ranges of the file.
    pub payloads: Vec<Range<usize>>,
    /// What comes after the last whole batch before the first gap.
    pub ending: Ending,
}

/// How a log ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The last batch is whole.
    Whole,
    /// The bytes from this offset on are not a batch, and no batch follows them.
    Torn(usize),
    /// The bytes from this offset on are not a batch, although a batch follows them.
    Damaged(usize),
}

/// Bytes at an offset that are not a whole batch.
enum Found {
    Whole(Range<usize>),
    /// A head whose payload is cut short by the end of the file.
    Short,
    /// A head whose payload does not match its checksum. The payload ends at this offset.
    Altered(usize),
    Nothing,
}

/// Reads batches, starting at an offset. After damage, the scan continues with the next whole
/// batch, so that a repair can use the rest.
pub(crate) fn batches(bytes: &[u8], salt: u64, mut at: usize) -> Batches {
    let mut payloads = Vec::new();
    let mut ending = Ending::Whole;
    while at < bytes.len() {
        match found(bytes, salt, at) {
            Found::Whole(payload) => {
                at = payload.end;
                payloads.push(payload);
            }
            bad => {
                let next = next_batch(bytes, salt, at, &bad);
                let is_first = ending == Ending::Whole;
                let Some(next) = next else {
                    if is_first {
                        ending = Ending::Torn(at);
                    }
                    break;
                };
                if is_first {
                    ending = Ending::Damaged(at);
                }
                at = next;
            }
        }
    }
    Batches { payloads, ending }
}

fn found(bytes: &[u8], salt: u64, at: usize) -> Found {
    let Some(head) = bytes.get(at..at + HEAD) else {
        return Found::Nothing;
    };
    let number = |range: Range<usize>| {
        let mut number = [0; 8];
        number[..range.len()].copy_from_slice(&head[range]);
        u64::from_le_bytes(number)
    };
    if u64::from(sum_of_head(salt, at as u64, &head[..12])) != number(12..16) {
        return Found::Nothing;
    }
    let begin = at + HEAD;
    let end = usize::try_from(number(0..8)).ok();
    let end = end.and_then(|length| begin.checked_add(length));
    let Some(end) = end.filter(|end| *end <= bytes.len()) else {
        return Found::Short;
    };
    match u64::from(crc32fast::hash(&bytes[begin..end])) == number(8..12) {
        true => Found::Whole(begin..end),
        false => Found::Altered(end),
    }
}

/// Returns the offset of the next batch after bytes that are not one. Finding its head is enough,
/// because the writer starts a batch only after the previous one is on the disk.
fn next_batch(bytes: &[u8], salt: u64, at: usize, bad: &Found) -> Option<usize> {
    let is_head = |at: &usize| !matches!(found(bytes, salt, *at), Found::Nothing);
    match bad {
        Found::Short => None,
        Found::Altered(end) if is_head(end) => Some(*end),
        _ => (at + 1..bytes.len()).find(is_head),
    }
}
