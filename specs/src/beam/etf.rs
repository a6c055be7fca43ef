//! The External Term Format, read form by form. Unneeded forms are skipped without being built.

use std::borrow::Cow;

use super::chunks::inflate;
use super::of_file;
use crate::ast::{Integer, Name, nesting};
use crate::catalog;
use crate::diagnostic::LocalDiagnostic;
use crate::integer::MAX_DIGITS;

/// Maximum nesting on a normal stack. Of deeper terms, only their presence is kept: a literal list
/// in a record's default can be as deep as it is long.
pub(super) const SHALLOW: usize = 400;
/// Maximum nesting on a large stack: one level of a type can be three levels of terms.
pub(super) const DEEPEST: usize = 3 * nesting::DEEPEST + SHALLOW;
/// Maximum size of a form in bytes. Each byte may become a node of forty bytes.
const MAX_FORM: usize = 8 * 1024 * 1024;

/// A decoded term.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum EtfTerm {
    Atom(Name),
    Integer(Integer),
    Float(f64),
    Tuple(Vec<EtfTerm>),
    /// Elements, and the tail of an improper list.
    List(Vec<EtfTerm>, Option<Box<EtfTerm>>),
    Binary(Vec<u8>),
    Map(Vec<(EtfTerm, EtfTerm)>),
    /// Pids, ports, references, functions, and terms that are nested too deeply.
    Opaque,
}

impl EtfTerm {
    pub(super) fn is_atom(&self, name: &str) -> bool {
        self.as_atom().is_some_and(|atom| atom == name)
    }

    pub(super) fn as_atom(&self) -> Option<&Name> {
        match self {
            EtfTerm::Atom(name) => Some(name),
            _ => None,
        }
    }

    pub(super) fn as_tuple(&self) -> Option<&[EtfTerm]> {
        match self {
            EtfTerm::Tuple(elements) => Some(elements),
            _ => None,
        }
    }

    /// The elements of a proper list.
    pub(super) fn as_list(&self) -> Option<&[EtfTerm]> {
        match self {
            EtfTerm::List(elements, None) => Some(elements),
            _ => None,
        }
    }

    pub(super) fn as_small(&self) -> Option<i64> {
        match self {
            EtfTerm::Integer(Integer::Small(small)) => Some(*small),
            _ => None,
        }
    }

    /// The text of a list of characters or of a binary.
    pub(super) fn as_text(&self) -> Option<String> {
        match self {
            EtfTerm::Binary(bytes) => String::from_utf8(bytes.clone()).ok(),
            EtfTerm::List(codes, None) => codes
                .iter()
                .map(|code| char::from_u32(u32::try_from(code.as_small()?).ok()?))
                .collect(),
            _ => None,
        }
    }
}

/// The bytes of an external term after its version byte, decompressed.
pub(super) fn unpacked<'a>(bytes: &'a [u8], chunk: &str) -> Result<Cow<'a, [u8]>, LocalDiagnostic> {
    let damaged = || of_file(&catalog::BAD_CHUNK, chunk);
    match bytes {
        [131, 80, _, _, _, _, packed @ ..] => inflate(packed).map(Cow::Owned).ok_or_else(damaged),
        [131, term @ ..] => Ok(Cow::Borrowed(term)),
        _ => Err(damaged()),
    }
}

/// A cursor over an external term.
pub(super) struct Decoder<'a> {
    rest: &'a [u8],
    /// Whether every term was shallow enough.
    is_whole: bool,
}

type Decoded<T> = Result<T, LocalDiagnostic>;

fn damaged() -> LocalDiagnostic {
    of_file(&catalog::BAD_TERM, "")
}

/// The layout of a term: its bytes, then the terms inside it.
struct Layout<'a> {
    tag: u8,
    data: &'a [u8],
    terms: usize,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Decoder {
            rest: bytes,
            is_whole: true,
        }
    }

    fn take(&mut self, count: usize) -> Decoded<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(damaged)?;
        self.rest = rest;
        Ok(taken)
    }

    fn take_size(&mut self, width: usize) -> Decoded<usize> {
        let bytes = self.take(width)?;
        Ok(bytes
            .iter()
            .fold(0, |size, byte| size << 8 | usize::from(*byte)))
    }

    /// Steps into a tuple and returns its size. Otherwise the cursor does not move.
    pub(super) fn enter_tuple(&mut self) -> Option<usize> {
        let before = self.rest;
        let layout = self.layout().ok()?;
        if matches!(layout.tag, 104 | 105) {
            return Some(layout.terms);
        }
        self.rest = before;
        None
    }

    /// Steps into a list and returns its length. Otherwise the cursor does not move.
    pub(super) fn enter_list(&mut self) -> Option<usize> {
        let before = self.rest;
        let layout = self.layout().ok()?;
        match layout.tag {
            106 => return Some(0),
            108 => return Some(layout.terms - 1),
            _ => self.rest = before,
        }
        None
    }

    /// Steps into a map and returns the number of its keys. Otherwise the cursor does not move.
    pub(super) fn enter_map(&mut self) -> Option<usize> {
        let before = self.rest;
        let layout = self.layout().ok()?;
        if layout.tag == 116 {
            return Some(layout.terms / 2);
        }
        self.rest = before;
        None
    }

    /// Skips the next term, and returns its bytes.
    pub(super) fn skip(&mut self) -> Decoded<&'a [u8]> {
        let before = self.rest;
        let mut left = 1usize;
        while left > 0 {
            left = (left - 1).saturating_add(self.layout()?.terms);
            // Each term needs at least one byte.
            if left > self.rest.len() {
                return Err(damaged());
            }
        }
        Ok(&before[..before.len() - self.rest.len()])
    }

    /// Reads the next term.
    pub(super) fn term(&mut self) -> Decoded<EtfTerm> {
        self.term_within(SHALLOW).map(|(term, _)| term)
    }

    /// Reads the next term to this depth. Returns whether the term is complete.
    pub(super) fn term_within(&mut self, depth: usize) -> Decoded<(EtfTerm, bool)> {
        let bytes = self.skip()?;
        if bytes.len() > MAX_FORM {
            return Err(damaged());
        }
        let mut inner = Decoder::new(bytes);
        let term = inner.nested(depth)?;
        Ok((term, inner.is_whole))
    }

    /// Reads the tag, bytes and number of inner terms of the next term.
    fn layout(&mut self) -> Decoded<Layout<'a>> {
        let tag = self.take(1)?[0];
        let (bytes, terms) = match tag {
            97 => (1, 0),
            98 => (4, 0),
            70 => (8, 0),
            99 => (31, 0),
            100 | 118 | 107 => (self.take_size(2)?, 0),
            115 | 119 => (self.take_size(1)?, 0),
            109 => (self.take_size(4)?, 0),
            77 => (self.take_size(4)?.saturating_add(1), 0),
            110 => (self.take_size(1)?.saturating_add(1), 0),
            111 => (self.take_size(4)?.saturating_add(1), 0),
            104 => (0, self.take_size(1)?),
            105 => (0, self.take_size(4)?),
            106 => (0, 0),
            // Elements and tail.
            108 => (0, self.take_size(4)?.saturating_add(1)),
            116 => (0, self.take_size(4)?.saturating_mul(2)),
            // Pids, ports, references: a node and some words.
            103 => return self.identifier(tag, 9),
            88 => return self.identifier(tag, 12),
            102 => return self.identifier(tag, 5),
            89 => return self.identifier(tag, 8),
            120 => return self.identifier(tag, 12),
            101 => return self.identifier(tag, 5),
            114 => return self.reference(tag, 1),
            90 => return self.reference(tag, 4),
            113 => (0, 3),
            112 => (self.take_size(4)?.saturating_sub(4), 0),
            _ => return Err(damaged()),
        };
        Ok(Layout {
            tag,
            data: self.take(bytes)?,
            terms,
        })
    }

    /// A node's name, then bytes. Both count as bytes of this term.
    fn identifier(&mut self, tag: u8, bytes: usize) -> Decoded<Layout<'a>> {
        if !matches!(self.rest.first(), Some(100 | 115 | 118 | 119)) {
            return Err(damaged());
        }
        self.layout()?;
        Ok(Layout {
            tag,
            data: self.take(bytes)?,
            terms: 0,
        })
    }

    /// A reference: a count of words before the node's name.
    fn reference(&mut self, tag: u8, creation: usize) -> Decoded<Layout<'a>> {
        let words = self.take_size(2)?;
        self.identifier(tag, creation + 4 * words)
    }

    /// Reads the next term, which may have this number of levels.
    fn nested(&mut self, levels: usize) -> Decoded<EtfTerm> {
        let Some(left) = levels.checked_sub(1) else {
            self.is_whole = false;
            self.skip()?;
            return Ok(EtfTerm::Opaque);
        };
        let Layout { tag, data, terms } = self.layout()?;
        Ok(match tag {
            97 | 98 | 110 | 111 => EtfTerm::Integer(integer(tag, data)?),
            70 => EtfTerm::Float(f64::from_be_bytes(data.try_into().map_err(|_| damaged())?)),
            99 => EtfTerm::Float(old_float(data).ok_or_else(damaged)?),
            118 | 119 => EtfTerm::Atom(std::str::from_utf8(data).map_err(|_| damaged())?.into()),
            100 | 115 => EtfTerm::Atom(data.iter().map(|byte| char::from(*byte)).collect()),
            104 | 105 => EtfTerm::Tuple(self.sequence(terms, left)?),
            106 => EtfTerm::List(Vec::new(), None),
            107 => {
                let byte = |byte: &u8| EtfTerm::Integer(Integer::Small(i64::from(*byte)));
                EtfTerm::List(data.iter().map(byte).collect(), None)
            }
            108 => {
                let elements = self.sequence(terms - 1, left)?;
                match self.nested(left)? {
                    EtfTerm::List(more, tail) if more.is_empty() => EtfTerm::List(elements, tail),
                    tail => EtfTerm::List(elements, Some(Box::new(tail))),
                }
            }
            109 => EtfTerm::Binary(data.to_vec()),
            116 => {
                let mut fields = Vec::new();
                for _ in 0..terms / 2 {
                    fields.push((self.nested(left)?, self.nested(left)?));
                }
                EtfTerm::Map(fields)
            }
            _ => {
                for _ in 0..terms {
                    self.skip()?;
                }
                EtfTerm::Opaque
            }
        })
    }

    fn sequence(&mut self, count: usize, levels: usize) -> Decoded<Vec<EtfTerm>> {
        let mut terms = Vec::with_capacity(count.min(self.rest.len()));
        for _ in 0..count {
            terms.push(self.nested(levels)?);
        }
        Ok(terms)
    }
}

fn integer(tag: u8, data: &[u8]) -> Decoded<Integer> {
    match (tag, data) {
        (97, [byte]) => Ok(Integer::Small(i64::from(*byte))),
        (98, bytes) => {
            let bytes = bytes.try_into().map_err(|_| damaged())?;
            Ok(Integer::Small(i64::from(i32::from_be_bytes(bytes))))
        }
        (_, [sign, digits @ ..]) if digits.len() <= MAX_DIGITS => {
            Ok(Integer::from_little_endian(digits, *sign != 0))
        }
        _ => Err(damaged()),
    }
}

/// A float as text, as before OTP R11.
fn old_float(data: &[u8]) -> Option<f64> {
    let text = data.split(|byte| *byte == 0).next()?;
    std::str::from_utf8(text).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_of_every_common_kind() {
        let bytes = [
            104, 5, 97, 7, 119, 2, b'o', b'k', 107, 0, 2, b'h', b'i', 108, 0, 0, 0, 1, 97, 1, 106,
            110, 2, 1, 0, 1,
        ];
        let term = Decoder::new(&bytes).term();
        let small = |value| EtfTerm::Integer(Integer::Small(value));
        let expected = EtfTerm::Tuple(vec![
            small(7),
            EtfTerm::Atom("ok".into()),
            EtfTerm::List(vec![small(104), small(105)], None),
            EtfTerm::List(vec![small(1)], None),
            small(-256),
        ]);
        assert_eq!(term, Ok(expected));
    }

    #[test]
    fn counts_without_terms_are_refused_before_memory_is_taken() {
        for tag in [105, 108, 116, 109, 111] {
            let bytes = [tag, 0xFF, 0xFF, 0xFF, 0xFF];
            assert!(Decoder::new(&bytes).term().is_err());
        }
    }

    #[test]
    fn deep_terms_are_cut_off() {
        let depth = 100_000;
        let mut bytes = [104, 1].repeat(depth);
        bytes.push(106);
        assert!(Decoder::new(&bytes).term().is_ok());
    }
}
