//! The encoding of a file: UTF-8, or Latin-1 if a comment declares it.

use crate::ast::Name;

/// The two encodings of Erlang source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Latin1,
}

impl Encoding {
    /// Reads the `coding: …` comment of the first two lines, as `epp:read_encoding/1` does.
    pub(crate) fn of(bytes: &[u8]) -> Encoding {
        let mut lines = bytes.splitn(3, |byte| *byte == b'\n');
        let named = lines.by_ref().take(2).find_map(Self::named_in_line);
        named.unwrap_or(Encoding::Utf8)
    }

    fn named_in_line(line: &[u8]) -> Option<Encoding> {
        let comment = &line[memchr::memchr(b'%', line)?..];
        let mut rest = comment;
        while let Some(found) = memchr::memmem::find(rest, b"coding") {
            rest = &rest[found + b"coding".len()..];
            if let Some(encoding) = Self::named(rest) {
                return Some(encoding);
            }
        }
        None
    }

    /// `: utf-8`, `=latin-1` and the like, after the word `coding`.
    fn named(rest: &[u8]) -> Option<Encoding> {
        let rest = rest
            .strip_prefix(b":")
            .or_else(|| rest.strip_prefix(b"="))?;
        let rest = rest.trim_ascii_start();
        let end = rest
            .iter()
            .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'-');
        match rest[..end.unwrap_or(rest.len())]
            .to_ascii_lowercase()
            .as_slice()
        {
            b"utf-8" => Some(Encoding::Utf8),
            b"latin-1" => Some(Encoding::Latin1),
            _ => None,
        }
    }

    /// Decodes the bytes. Invalid bytes are replaced; the caller has already reported them.
    pub(crate) fn decode(self, bytes: &[u8]) -> Name {
        match self {
            Encoding::Latin1 if !bytes.is_ascii() => {
                bytes.iter().map(|byte| char::from(*byte)).collect()
            }
            _ => match std::str::from_utf8(bytes) {
                Ok(text) => Name::new(text),
                Err(_) => String::from_utf8_lossy(bytes).into(),
            },
        }
    }
}
