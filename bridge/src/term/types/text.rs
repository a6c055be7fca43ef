//! Text: UTF-8 binaries, and lists of characters.

use std::ops::Deref;

use crate::term::Bound;
use crate::term::types::Char;
use crate::term::{
    DecodeError, ErlangType, FromTerm, Heap, Misfit, Reader, Shape, TermKind, ToTerm, View,
};

#[diagnostic::do_not_recommend]
impl ToTerm for str {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.binary(self.as_bytes())
    }
}

impl ErlangType for String {
    fn erlang_type() -> String {
        str::erlang_type()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for String {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        self.as_str().to_term(heap)
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for String {
    const KIND: Shape = Shape::Some(&Shape::Binaries);

    fn __check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        let bytes = view.binary().ok_or(Misfit::HERE)?;
        Misfit::unless(!reader.looks_at_all() || std::str::from_utf8(bytes).is_ok())
    }

    /// Reads a binary that is UTF-8.
    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        let text = view
            .binary()
            .and_then(|bytes| std::str::from_utf8(bytes).ok());
        text.map(str::to_owned).ok_or_else(|| not_text(view))
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        reader.take(view.binary().map_or(0, <[u8]>::len))?;
        Self::from_term(view)
    }
}

#[cold]
pub(in crate::term) fn not_text<'a, V: View<'a>>(view: V) -> DecodeError {
    match view.kind() {
        TermKind::Bitstring if view.binary().is_some() => {
            DecodeError::beyond_bound::<str, V>(&Bound::UTF_8, view)
        }
        _ => DecodeError::expected::<str, V>(view),
    }
}

/// Returns the error of a term that is not a list of Rust's characters.
#[cold]
pub(in crate::term) fn not_characters<'a, T: ErlangType, V: View<'a>>(view: V) -> DecodeError {
    let is_character = |element: V| Char::from_term(element).is_ok();
    let mut elements = view.list().into_iter().flatten().peekable();
    if elements.peek().is_some() && elements.all(is_character) {
        DecodeError::beyond_bound::<T, V>(&Bound::UNICODE, view)
    } else {
        DecodeError::expected::<T, V>(view)
    }
}

/// Text as Erlang's `string()`: a list of characters, which Erlang writes as `"text"`.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ErlangString(
    /// The text.
    pub String,
);

impl Deref for ErlangString {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<String> for ErlangString {
    fn from(text: String) -> Self {
        ErlangString(text)
    }
}

impl From<&str> for ErlangString {
    fn from(text: &str) -> Self {
        ErlangString(text.to_owned())
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for ErlangString {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.list(
            self.0
                .chars()
                .map(|character| heap.integer(u32::from(character).into())),
        )
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for ErlangString {
    const KIND: Shape = Shape::Union(&[Shape::EmptyList, Shape::Some(&Shape::NonemptyLists)]);
    const SHAPE: Shape = Shape::Some(&Shape::ListsOf(&char::KIND));

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        let Some(characters) = view.list() else {
            return Err(DecodeError::expected::<Self, V>(view));
        };
        let text: Option<String> = characters
            .map(|element| char::from_term(element).ok())
            .collect();
        text.map(ErlangString)
            .ok_or_else(|| not_characters::<Self, V>(view))
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        reader.take(view.list().map_or(0, |elements| elements.len()))?;
        Self::from_term(view)
    }

    fn __check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        if !reader.looks_at_all() {
            return Misfit::unless(view.kind() == TermKind::List);
        }
        let mut elements = view.list().ok_or(Misfit::HERE)?;
        Misfit::unless(elements.all(|element| char::__check(element, reader).is_ok()))
    }
}
