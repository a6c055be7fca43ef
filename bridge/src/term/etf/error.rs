//! Why bytes are no term

use std::fmt;

/// Bytes that are not the External Term Format of a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EtfError {
    /// What is wrong.
    kind: Problem,
    /// The position of the offending byte, counted from 0.
    offset: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Problem {
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
    pub(super) fn new(kind: Problem, offset: usize) -> Self {
        EtfError { kind, offset }
    }

    /// The position of the offending byte, counted from 0.
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for EtfError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Problem::Truncated => formatter.write_str("the term ends early"),
            Problem::Version(byte) => write!(formatter, "not a term: starts with {byte}, not 131"),
            Problem::Compressed => {
                formatter.write_str("the term is compressed, which is not supported")
            }
            Problem::UnknownTag(tag) => write!(formatter, "unknown tag {tag}"),
            Problem::NotUtf8 => formatter.write_str("an atom is not UTF-8"),
            Problem::AtomTooLong => formatter.write_str("an atom has more than 255 characters"),
            Problem::NotFinite => formatter.write_str("a float is infinite or not a number"),
            Problem::NotAFloat => formatter.write_str("the text of a float is not a number"),
            Problem::BitCount => {
                formatter.write_str("a bitstring uses no 1 to 8 bits of its last byte")
            }
            Problem::ReferenceLength => formatter.write_str("a reference has no 1 to 5 words"),
            Problem::MapKey => formatter.write_str("a map has a key twice"),
            Problem::Fun(part) => write!(formatter, "the {part} of a fun is not right"),
            Problem::TooDeep => {
                write!(
                    formatter,
                    "the term is nested deeper than {} levels",
                    crate::term::MAX_DEPTH
                )
            }
            Problem::Trailing => formatter.write_str("bytes follow the term"),
        }?;
        write!(formatter, ", at byte {}", self.offset)
    }
}

impl std::error::Error for EtfError {}
