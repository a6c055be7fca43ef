//! The error of bytes that are not a term.

use std::fmt;

/// Bytes that are not the External Term Format of a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EtfError {
    /// The mistake.
    kind: ErrorKind,
    /// The index of the offending byte, counted from 0.
    offset: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ErrorKind {
    Truncated,
    Version(u8),
    Compressed,
    UnknownTag(u8),
    NotUtf8,
    AtomTooLong,
    NotFinite,
    NotAFloat,
    BitCount,
    ReferenceLength,
    MapKey,
    Fun(&'static str),
    TooDeep,
    Trailing,
}

impl EtfError {
    pub(super) fn new(kind: ErrorKind, offset: usize) -> Self {
        EtfError { kind, offset }
    }

    /// Returns the index of the offending byte, counted from 0.
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for EtfError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::Truncated => formatter.write_str("the term ends early"),
            ErrorKind::Version(byte) => {
                write!(formatter, "not a term: starts with {byte}, not 131")
            }
            ErrorKind::Compressed => {
                formatter.write_str("the term is compressed, which is not supported")
            }
            ErrorKind::UnknownTag(tag) => write!(formatter, "unknown tag {tag}"),
            ErrorKind::NotUtf8 => formatter.write_str("an atom is not UTF-8"),
            ErrorKind::AtomTooLong => formatter.write_str("an atom has more than 255 characters"),
            ErrorKind::NotFinite => formatter.write_str("a float is infinite or not a number"),
            ErrorKind::NotAFloat => formatter.write_str("the text of a float is not a number"),
            ErrorKind::BitCount => {
                formatter.write_str("a bitstring does not use 1 to 8 bits of its last byte")
            }
            ErrorKind::ReferenceLength => {
                formatter.write_str("a reference does not have 1 to 5 words")
            }
            ErrorKind::MapKey => formatter.write_str("a map has a key twice"),
            ErrorKind::Fun(part) => write!(formatter, "the {part} of a fun is wrong"),
            ErrorKind::TooDeep => {
                write!(
                    formatter,
                    "the term is nested deeper than {} levels",
                    crate::term::MAX_DEPTH
                )
            }
            ErrorKind::Trailing => formatter.write_str("bytes follow the term"),
        }?;
        write!(formatter, ", at byte {}", self.offset)
    }
}

impl std::error::Error for EtfError {}
