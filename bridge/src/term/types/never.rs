//! `none()` and `no_return()`

use crate::term::{DecodeError, FromTerm, Heap, Shape, ToTerm, View};

/// A type without values: the result of a function that never returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Never {}

#[diagnostic::do_not_recommend]
impl ToTerm for Never {
    fn to_term<H: Heap>(&self, _: H) -> H::Term {
        match *self {}
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for Never {
    const KIND: Shape = Shape::NONE;

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        Err(DecodeError::expected::<Self, V>(view))
    }
}
