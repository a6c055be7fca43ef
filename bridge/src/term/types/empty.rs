//! `[]` and `#{}`; the empty tuple is `()`.

use crate::term::{DecodeError, FromTerm, Heap, Shape, ToTerm, View};

/// The empty list, `[]`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nil;

#[diagnostic::do_not_recommend]
impl ToTerm for Nil {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.list(std::iter::empty())
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for Nil {
    const KIND: Shape = Shape::EmptyList;

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        if view.is_empty_list() {
            Ok(Nil)
        } else {
            Err(DecodeError::expected::<Self, V>(view))
        }
    }
}

/// The map without any key, `#{}`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EmptyMap;

#[diagnostic::do_not_recommend]
impl ToTerm for EmptyMap {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.map([])
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for EmptyMap {
    const KIND: Shape = Shape::EmptyMap;

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        match view.map_size() {
            Some(0) => Ok(EmptyMap),
            _ => Err(DecodeError::expected::<Self, V>(view)),
        }
    }
}
