//! The format of redis-server's files and of DUMP, version 10.

mod file;
mod libraries;
mod packed;
mod reader;
mod stream;
mod write;

pub use file::{Entry, load, read, save, written};
pub use libraries::{dump_libraries, restore_libraries};

use crate::store::{Value, View};
use reader::Reader;
use write::Writer;

/// The version that redis-server 7.0 writes.
const VERSION: u16 = 10;

/// Bytes that mark the type of a value, in all versions that this server reads.
mod kind {
    pub const STRING: u8 = 0;
    pub const LIST: u8 = 1;
    pub const SET: u8 = 2;
    pub const SORTED_SET_TEXT: u8 = 3;
    pub const HASH: u8 = 4;
    pub const SORTED_SET: u8 = 5;
    pub const LIST_ZIPLIST: u8 = 10;
    pub const SET_NUMBERS: u8 = 11;
    pub const SORTED_SET_ZIPLIST: u8 = 12;
    pub const HASH_ZIPLIST: u8 = 13;
    pub const QUICKLIST: u8 = 14;
    pub const STREAM: u8 = 15;
    pub const HASH_LISTPACK: u8 = 16;
    pub const SORTED_SET_LISTPACK: u8 = 17;
    pub const QUICKLIST_2: u8 = 18;
    pub const STREAM_2: u8 = 19;
}

/// Computes redis-server's checksum: a reflected CRC of 64 bits with Jones' polynomial.
#[must_use]
pub fn checksum(mut crc: u64, bytes: &[u8]) -> u64 {
    const POLYNOMIAL: u64 = 0x95ac_9329_ac4b_c9b5;
    const TABLE: [u64; 256] = {
        let mut table = [0; 256];
        let mut at = 0;
        while at < 256 {
            let (mut crc, mut bit) = (at as u64, 0);
            while bit < 8 {
                crc = if crc & 1 == 1 {
                    crc >> 1 ^ POLYNOMIAL
                } else {
                    crc >> 1
                };
                bit += 1;
            }
            table[at] = crc;
            at += 1;
        }
        table
    };
    for byte in bytes {
        let index = usize::from(crc.to_le_bytes()[0] ^ byte);
        crc = TABLE[index] ^ crc >> 8;
    }
    crc
}

/// Encodes a value as DUMP does.
#[must_use]
pub fn dump(view: View<'_>) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.byte(write::kind_of(view));
    writer.object(view);
    finish(writer)
}

/// Adds the version and the checksum to a payload.
fn finish(mut writer: Writer) -> Vec<u8> {
    writer.bytes.extend_from_slice(&VERSION.to_le_bytes());
    let crc = checksum(0, &writer.bytes);
    writer.bytes.extend_from_slice(&crc.to_le_bytes());
    writer.bytes
}

/// Checks the version and the checksum of a payload. Returns the part before them.
fn check(payload: &[u8]) -> Option<&[u8]> {
    /// Length of the version and the checksum.
    const TAIL: usize = 10;
    let end = payload.len().checked_sub(TAIL)?;
    let (body, tail) = payload.split_at(end);
    let version = u16::from_le_bytes([tail[0], tail[1]]);
    let crc = tail[2..].try_into().map(u64::from_le_bytes).ok();
    (version <= VERSION && crc == Some(checksum(0, &payload[..end + 2]))).then_some(body)
}

/// Reason why a payload of RESTORE is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Broken {
    /// The version or the checksum at its end.
    Checksum,
    /// The encoded value.
    Format,
}

/// Decodes a payload of RESTORE.
///
/// # Errors
/// The reason why it is refused.
pub fn restore(payload: &[u8]) -> Result<Value, Broken> {
    let body = check(payload).ok_or(Broken::Checksum)?;
    let mut reader = Reader::new(body);
    let value = reader.byte().and_then(|kind| reader.object(kind));
    value.filter(|_| reader.is_at_end()).ok_or(Broken::Format)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_published_one() {
        assert_eq!(checksum(0, b"123456789"), 0xe9c6_d914_c4b8_d9ca);
    }

    #[test]
    fn nothing_that_is_cut_or_turned_is_a_value_that_was_not_written() {
        let value = Value::List(
            [b"a".as_slice(), b"12345", &[b'x'; 100]]
                .map(Into::into)
                .into(),
        );
        let whole = dump(View::Value(&value));
        assert_eq!(restore(&whole), Ok(value));
        for end in 0..whole.len() {
            assert!(restore(&whole[..end]).is_err());
        }
        // Without its checksum, the damaged value itself is decoded: that must not panic.
        for at in 0..whole.len() - 10 {
            for byte in 0..=255 {
                let mut other = whole[..whole.len() - 8].to_vec();
                other[at] = byte;
                let crc = checksum(0, &other).to_le_bytes();
                let _ = restore(&[other, crc.to_vec()].concat());
            }
        }
    }
}
