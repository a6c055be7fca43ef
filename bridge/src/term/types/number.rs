//! `number()`

use crate::term::types::Integer;
use crate::term::{DecodeError, FromTerm, Heap, Shape, TermKind, ToTerm, View};

/// An integer or a float. Erlang distinguishes the two: `1 =:= 1.0` is false.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// An integer of any size
    Integer(Integer),
    /// A float
    Float(f64),
}

macro_rules! from_integers {
    ($($primitive:ty)*) => {$(
        impl From<$primitive> for Number {
            fn from(value: $primitive) -> Self {
                Number::Integer(value.into())
            }
        }
    )*};
}

from_integers! { Integer i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        Number::Float(value)
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Number {
    /// # Panics
    /// As `to_term` of `f64`.
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        match self {
            Number::Integer(value) => value.to_term(heap),
            Number::Float(value) => value.to_term(heap),
        }
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for Number {
    const KIND: Shape = Shape::Union(&[Shape::Integers(None, None), Shape::Floats]);

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        match view.kind() {
            TermKind::Integer => Integer::from_term(view).map(Number::Integer),
            TermKind::Float => f64::from_term(view).map(Number::Float),
            _ => Err(DecodeError::expected::<Self, V>(view)),
        }
    }
}
