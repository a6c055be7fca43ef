//! `nonempty_string()`

use std::ops::Deref;

use crate::term::types::text::not_characters;
use crate::term::types::{ErlangString, NoElements};
use crate::term::{DecodeError, FromTerm, Heap, Misfit, Reader, Shape, ToTerm, View};

/// A list of at least one character.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NonemptyString(ErlangString);

impl Deref for NonemptyString {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for NonemptyString {
    type Error = NoElements;

    fn try_from(text: String) -> Result<Self, NoElements> {
        if text.is_empty() {
            Err(NoElements)
        } else {
            Ok(NonemptyString(ErlangString(text)))
        }
    }
}

impl TryFrom<&str> for NonemptyString {
    type Error = NoElements;

    fn try_from(text: &str) -> Result<Self, NoElements> {
        text.to_owned().try_into()
    }
}

impl From<NonemptyString> for ErlangString {
    fn from(text: NonemptyString) -> Self {
        text.0
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for NonemptyString {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        self.0.to_term(heap)
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for NonemptyString {
    const KIND: Shape = Shape::Some(&Shape::NonemptyLists);

    fn __check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        Misfit::unless(!view.is_empty_list())?;
        ErlangString::__check(view, reader)
    }

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        let text = ErlangString::from_term(view).ok();
        text.and_then(|ErlangString(text)| text.try_into().ok())
            .ok_or_else(|| not_characters::<Self, V>(view))
    }
}
