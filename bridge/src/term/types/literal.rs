//! A single integer.

use std::fmt;

use crate::term::types::Integer;
use crate::term::{DecodeError, ErlangType, FromTerm, Heap, Shape, ToTerm, View};

/// The integer `N` only, as in `-type key_size() :: 16 | 24 | 32`. It is a type and a value.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal<const N: i128>;

impl<const N: i128> Literal<N> {
    /// Returns the integer.
    pub const fn value(self) -> i128 {
        N
    }
}

impl<const N: i128> fmt::Debug for Literal<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&N, formatter)
    }
}

impl<const N: i128> ErlangType for Literal<N> {
    fn erlang_type() -> String {
        N.to_string()
    }
}

#[diagnostic::do_not_recommend]
impl<const N: i128> ToTerm for Literal<N> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        N.to_term(heap)
    }
}

#[diagnostic::do_not_recommend]
impl<const N: i128> FromTerm for Literal<N> {
    const KIND: Shape = Shape::Integers(Some(N), Some(N));

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        let found = match view.integer() {
            Some(small) => i128::from(small) == N,
            None => view.big_integer() == Some(Integer::from(N)),
        };
        if found {
            Ok(Literal)
        } else {
            Err(DecodeError::expected::<Self, V>(view))
        }
    }
}
