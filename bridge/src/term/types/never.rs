//! `none()` and `no_return()`

use crate::term::{DecodeError, ErlangType, FromTerm, Heap, ToTerm, View};

/// The type without a value: what a function that never returns gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Never {}

impl ErlangType for Never {
    fn erlang_type() -> String {
        "none()".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Never {
    fn to_term<H: Heap>(&self, _: H) -> H::Term {
        match *self {}
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for Never {
    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        Err(DecodeError::expected::<Self, V>(view))
    }
}
