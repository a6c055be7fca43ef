//! The container: an IFF file of named chunks, possibly compressed as a whole.

use std::borrow::Cow;

use miniz_oxide::inflate::{decompress_to_vec_with_limit, decompress_to_vec_zlib_with_limit};

use super::of_file;
use crate::ast::Name;
use crate::catalog;
use crate::diagnostic::LocalDiagnostic;

/// Maximum unpacked size of a file or chunk. OTP's largest module needs a tenth of it.
const MAX_UNPACKED: usize = 128 * 1024 * 1024;

/// Returns the file itself, or its unpacked contents if it was compiled with `compressed` (gzip).
pub(super) fn unpacked(bytes: &[u8]) -> Result<Cow<'_, [u8]>, LocalDiagnostic> {
    if !bytes.starts_with(&[0x1F, 0x8B]) {
        return Ok(Cow::Borrowed(bytes));
    }
    gzip_body(bytes)
        .and_then(|body| decompress_to_vec_with_limit(body, MAX_UNPACKED).ok())
        .map(Cow::Owned)
        .ok_or_else(|| of_file(&catalog::NOT_A_BEAM, ""))
}

/// Returns the data behind the gzip header (RFC 1952).
fn gzip_body(bytes: &[u8]) -> Option<&[u8]> {
    let flags = *bytes.get(3)?;
    let mut rest = bytes.get(10..)?;
    if flags & 4 != 0 {
        let length = usize::from(u16::from_le_bytes([*rest.first()?, *rest.get(1)?]));
        rest = rest.get(2 + length..)?;
    }
    for _ in 0..(flags & 8).count_ones() + (flags & 16).count_ones() {
        rest = rest.get(memchr::memchr(0, rest)? + 1..)?;
    }
    rest.get(if flags & 2 != 0 { 2 } else { 0 }..)
}

/// Inflates zlib data, up to the limit.
pub(super) fn inflate(bytes: &[u8]) -> Option<Vec<u8>> {
    decompress_to_vec_zlib_with_limit(bytes, MAX_UNPACKED).ok()
}

/// The chunks of a BEAM file, in file order.
#[derive(Debug)]
pub(super) struct Chunks<'a>(Vec<(&'a [u8], &'a [u8])>);

impl<'a> Chunks<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Result<Chunks<'a>, LocalDiagnostic> {
        let header = (bytes.get(..4), bytes.get(8..12));
        if header != (Some(b"FOR1"), Some(b"BEAM")) {
            return Err(of_file(&catalog::NOT_A_BEAM, ""));
        }
        let mut chunks = Vec::new();
        let mut rest = &bytes[12..];
        while let Some((name, after)) = rest.split_at_checked(4) {
            let Some((size, after)) = after.split_first_chunk::<4>() else {
                break;
            };
            let size = u32::from_be_bytes(*size) as usize;
            let Some(data) = after.get(..size) else {
                let name = String::from_utf8_lossy(name);
                return Err(of_file(&catalog::BAD_CHUNK, &name));
            };
            chunks.push((name, data));
            // Chunks are padded to four bytes.
            rest = after.get(size.next_multiple_of(4)..).unwrap_or_default();
        }
        Ok(Chunks(chunks))
    }

    pub(super) fn find(&self, name: &[u8; 4]) -> Option<&'a [u8]> {
        self.0
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, data)| *data)
    }
}

/// Returns the number of atoms that an atom table announces. Since OTP 28 it is negative.
pub(super) fn count(chunk: &[u8]) -> usize {
    let count = chunk.first_chunk().map_or(0, |it| i32::from_be_bytes(*it));
    count.unsigned_abs() as usize
}

/// Returns the atoms of an atom table. The first is the module's name.
///
/// Up to OTP 27, a length is a byte. Since OTP 28, the count is negative and each length is written
/// as an operand of the instruction encoding.
pub(super) fn atoms(chunk: &[u8]) -> impl Iterator<Item = Name> + '_ {
    let mut rest = chunk.get(4..).unwrap_or_default();
    let count = count(chunk);
    let has_operands = chunk.first().is_some_and(|byte| *byte >= 0x80);
    (0..count).map_while(move |_| {
        let (length, text) = if has_operands {
            operand(rest)?
        } else {
            (usize::from(*rest.first()?), &rest[1..])
        };
        let (text, after) = text.split_at_checked(length)?;
        rest = after;
        std::str::from_utf8(text).ok().map(Name::new)
    })
}

/// Returns name and arity of every exported function, from an export table and the atoms that it
/// refers to by number.
pub(super) fn exports(chunk: &[u8], atoms: &[Name]) -> Vec<(Name, i64)> {
    let (entries, _) = chunk.get(4..).unwrap_or_default().as_chunks::<12>();
    let word = |bytes: &[u8]| {
        bytes
            .iter()
            .fold(0, |word, byte| word << 8 | i64::from(*byte))
    };
    let export = |entry: &[u8; 12]| {
        let number = usize::try_from(word(&entry[..4])).ok()?.checked_sub(1)?;
        Some((atoms.get(number)?.clone(), word(&entry[4..8])))
    };
    entries.iter().filter_map(export).collect()
}

/// A small literal operand: four bits, or eleven in two bytes.
fn operand(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let first = *bytes.first()?;
    match first & 0b1111 {
        0b0000 => Some((usize::from(first >> 4), &bytes[1..])),
        0b1000 => {
            let second = *bytes.get(1)?;
            Some((
                usize::from(first & 0b1110_0000) << 3 | usize::from(second),
                &bytes[2..],
            ))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atom_tables_of_old_and_new_releases() {
        let names = |chunk: &[u8]| {
            atoms(chunk)
                .map(|name| name.to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(names(b"\0\0\0\x02\x03abc\x01d"), ["abc", "d"]);
        assert_eq!(names(b"\xFF\xFF\xFF\xFE\x30abc\x10d"), ["abc", "d"]);
        let long = "x".repeat(300);
        let table = [b"\xFF\xFF\xFF\xFF\x28\x2C".as_slice(), long.as_bytes()].concat();
        assert_eq!(names(&table), [long.as_str()]);
        assert!(names(b"\0\0\0\x01\x09abc").is_empty());
        assert!(names(b"\0\0").is_empty());
    }

    #[test]
    fn a_file_with_more_atoms_than_a_vm_has_room_for_is_refused() {
        let file = |count: u32| {
            let mut file = b"FOR1\0\0\0\x14BEAMAtU8\0\0\0\x08".to_vec();
            file.extend(count.to_be_bytes());
            file.extend(b"\x01mxx");
            crate::parse_beam("m.beam", &file)
        };
        for count in [0x0010_0001, 0xFFEF_FFFF, 0x7FFF_FFFF, 0x8000_0000] {
            let parsed = file(count);
            assert_eq!(parsed.diagnostics[0].code, crate::catalog::BAD_CHUNK.code);
        }
        assert_eq!(file(1).module.name.as_deref(), Some("m"));
    }

    #[test]
    fn export_tables_name_atoms_by_number() {
        let known = [Name::new("m"), Name::new("f")];
        let table = b"\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0\x09\0\0\0\x07\0\0\0\x01\0\0\0\x09\0";
        assert_eq!(exports(table, &known), [(Name::new("f"), 1)]);
        assert!(exports(b"\0\0", &known).is_empty());
    }

    #[test]
    fn chunks_that_promise_more_than_there_is() {
        let file = b"FOR1\0\0\0\0BEAMAtU8\xFF\xFF\xFF\xFF";
        assert!(Chunks::of(file).is_err());
        assert!(Chunks::of(b"FOR1").is_err());
    }
}
