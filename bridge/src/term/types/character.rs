//! `char()`

use crate::term::Bound;
use crate::term::{DecodeError, FromTerm, Heap, Shape, ToTerm, View};

/// Erlang's `char()`: 0 to 16#10FFFF. This includes surrogates, which Rust's `char` does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Char(u32);

impl Char {
    /// Returns the character with this code point, if there is one.
    pub fn new(code_point: u32) -> Option<Self> {
        (code_point <= u32::from(char::MAX)).then_some(Char(code_point))
    }

    /// Returns the code point.
    pub fn code_point(self) -> u32 {
        self.0
    }
}

impl From<char> for Char {
    fn from(character: char) -> Self {
        Char(character.into())
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Char {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.integer(self.0.into())
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for Char {
    const KIND: Shape = Shape::Integers(Some(0), Some(0x10_FFFF));

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        let code_point = view.integer().and_then(|value| u32::try_from(value).ok());
        code_point
            .and_then(Char::new)
            .ok_or_else(|| DecodeError::expected::<Self, V>(view))
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for char {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        Char::from(*self).to_term(heap)
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for char {
    const KIND: Shape = Shape::Union(&[
        Shape::Integers(Some(0), Some(0xD7FF)),
        Shape::Integers(Some(0xE000), Some(0x10_FFFF)),
    ]);

    /// Rejects a surrogate, although it is a `char()`.
    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        let Char(code_point) = Char::from_term(view)?;
        let character = char::from_u32(code_point);
        character.ok_or_else(|| DecodeError::beyond_bound::<Self, V>(&Bound::RUST_CHAR, view))
    }
}
