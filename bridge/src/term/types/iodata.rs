//! `iodata()`

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::mem;

use bytes::Bytes;

use crate::term::depth::check_on_any_stack;
use crate::term::reader::LARGE_BINARY;
use crate::term::{DecodeError, FromTerm, Heap, Misfit, Reader, Shape, TermKind, ToTerm, View};

/// Bytes that Erlang represents as a binary or as a nested list of bytes and binaries.
///
/// Large binaries among them remain separate parts with several owners. Smaller ones and bytes are
/// joined. One part is written as a binary, several parts as a list of binaries: they are not
/// copied into one block.
///
/// ```
/// # use otp_bridge_novm as _;
/// use bytes::Bytes;
/// use otp_bridge::term::Iodata;
/// use otp_bridge::Term;
///
/// let answer = Iodata::from_iter([Bytes::from_static(b"HTTP/1.1 200 OK\r\n\r\n"), Bytes::from_static(b"<html>")]);
/// assert_eq!(
///     Term::of(&answer).to_string(),
///     r#"[<<"HTTP/1.1 200 OK\r\n\r\n">>,<<"<html>">>]"#
/// );
/// assert_eq!(answer, Iodata::from("HTTP/1.1 200 OK\r\n\r\n<html>"));
/// ```
#[derive(Clone, Default)]
pub struct Iodata(Vec<Bytes>);

impl Iodata {
    /// Returns the parts in order. None of them is empty.
    pub fn parts(&self) -> &[Bytes] {
        &self.0
    }

    /// Returns the number of bytes.
    pub fn len(&self) -> usize {
        self.0.iter().map(Bytes::len).sum()
    }

    /// Returns whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns a copy of all the bytes.
    pub fn to_vec(&self) -> Vec<u8> {
        self.0.concat()
    }

    /// Returns all the bytes in one block. They are copied if there are several parts.
    pub fn into_bytes(mut self) -> Bytes {
        match self.0.len() {
            0 | 1 => self.0.pop().unwrap_or_default(),
            _ => Bytes::from(self.to_vec()),
        }
    }

    /// Adds a part.
    pub fn push(&mut self, part: impl Into<Bytes>) {
        let part = part.into();
        if !part.is_empty() {
            self.0.push(part);
        }
    }

    fn each_byte(&self) -> impl Iterator<Item = &u8> {
        self.0.iter().flatten()
    }
}

/// The division of the bytes into parts makes no difference.
impl PartialEq for Iodata {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.each_byte().eq(other.each_byte())
    }
}

impl Eq for Iodata {}

impl PartialOrd for Iodata {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Iodata {
    fn cmp(&self, other: &Self) -> Ordering {
        self.each_byte().cmp(other.each_byte())
    }
}

impl Hash for Iodata {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.each_byte().for_each(|byte| state.write_u8(*byte));
    }
}

impl FromIterator<Bytes> for Iodata {
    fn from_iter<I: IntoIterator<Item = Bytes>>(parts: I) -> Self {
        let parts = parts.into_iter();
        Iodata(parts.filter(|part| !part.is_empty()).collect())
    }
}

impl From<Bytes> for Iodata {
    /// Does not copy the bytes.
    fn from(bytes: Bytes) -> Self {
        Iodata::from_iter([bytes])
    }
}

impl From<Vec<Bytes>> for Iodata {
    /// Does not copy the bytes.
    fn from(parts: Vec<Bytes>) -> Self {
        Iodata::from_iter(parts)
    }
}

impl From<Vec<u8>> for Iodata {
    /// Does not copy the bytes.
    fn from(bytes: Vec<u8>) -> Self {
        Iodata::from(Bytes::from(bytes))
    }
}

impl From<String> for Iodata {
    /// Does not copy the text.
    fn from(text: String) -> Self {
        Iodata::from(Bytes::from(text))
    }
}

impl From<&str> for Iodata {
    fn from(text: &str) -> Self {
        Iodata::from(Bytes::copy_from_slice(text.as_bytes()))
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Iodata {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        match self.parts() {
            [] => heap.binary(&[]),
            [part] => heap.shared_binary(part),
            parts => heap.list(parts.iter().map(|part| heap.shared_binary(part))),
        }
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for Iodata {
    const KIND: Shape = Shape::Union(&[
        Shape::Binaries,
        Shape::EmptyList,
        Shape::Some(&Shape::NonemptyLists),
    ]);

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        Reader::start(|reader| Self::__read(view, reader))
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        collect(view, reader)?.ok_or_else(|| DecodeError::expected::<Self, V>(view))
    }

    fn __check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        match view.kind() {
            TermKind::Bitstring => Misfit::unless(view.binary().is_some()),
            TermKind::List if reader.looks_at_all() => check_list(view, reader),
            kind => Misfit::unless(kind == TermKind::List),
        }
    }
}

/// Checks a list. The result is stored, because lists of other terms may contain such lists, and
/// each of them is checked again for every type that they may have.
pub(super) fn check_list<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
    let number = check_list::<V> as fn(V, Reader<'_>) -> Result<(), Misfit> as usize;
    if let Some(found) = reader.recall_check(number, view.identity()) {
        return found;
    }
    let check = |element: V| match element.kind() {
        TermKind::Bitstring => Misfit::unless(element.binary().is_some()),
        TermKind::Integer => Misfit::unless(element.unsigned().is_some_and(|byte| byte < 256)),
        TermKind::List => check_on_any_stack(|| check_list(element, reader)),
        _ => Err(Misfit::HERE),
    };
    let found = match view.list_with_tail() {
        Some((mut elements, None)) => elements.try_for_each(check),
        Some((mut elements, Some(tail))) => elements
            .try_for_each(check)
            .and_then(|()| Misfit::unless(tail.binary().is_some())),
        None => Err(Misfit::HERE),
    };
    let found = found.map_err(|_| Misfit::HERE);
    reader.remember_check(number, view.identity(), found);
    found
}

/// The parts of a list: large binaries, and the joined bytes since the last one.
#[derive(Default)]
struct Parts {
    done: Iodata,
    joined: Vec<u8>,
}

impl Parts {
    /// Adds a binary or a byte. Returns false for any other term.
    fn push<'a, V: View<'a>>(&mut self, leaf: V, reader: Reader<'_>) -> Result<bool, DecodeError> {
        let Some(binary) = leaf.binary() else {
            reader.take(1)?;
            let byte = leaf.integer().and_then(|value| u8::try_from(value).ok());
            self.joined.extend(byte);
            return Ok(byte.is_some());
        };
        reader.share(binary.len())?;
        match leaf.shared_binary() {
            Some(bytes) if binary.len() >= LARGE_BINARY => {
                self.done.push(mem::take(&mut self.joined));
                self.done.push(bytes);
            }
            _ => self.joined.extend_from_slice(binary),
        }
        Ok(true)
    }

    fn end(mut self) -> Iodata {
        self.done.push(self.joined);
        self.done
    }
}

/// Returns the bytes of `view`, if it is `iodata()`. Lists can be nested without limit, so this
/// uses a stack of its own instead of recursion.
fn collect<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Option<Iodata>, DecodeError> {
    let mut parts = Parts::default();
    if view.binary().is_some() {
        parts.push(view, reader)?;
        return Ok(Some(parts.end()));
    }
    let Some(list) = view.list_with_tail() else {
        return Ok(None);
    };
    let mut open = vec![list];
    while let Some((elements, tail)) = open.last_mut() {
        let fits = match elements.next() {
            Some(element) => match element.list_with_tail() {
                Some(inner) => {
                    open.push(inner);
                    true
                }
                None => parts.push(element, reader)?,
            },
            None => {
                let tail = *tail;
                open.pop();
                // Only a binary may follow the last element.
                match tail {
                    Some(tail) => tail.binary().is_some() && parts.push(tail, reader)?,
                    None => true,
                }
            }
        };
        if !fits {
            return Ok(None);
        }
    }
    Ok(Some(parts.end()))
}
