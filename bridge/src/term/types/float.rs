//! `float()`

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use crate::term::Bound;
use crate::term::{DecodeError, ErlangType, FromTerm, Heap, Shape, ToTerm, View};

/// An Erlang float. It is finite, since the VM has neither infinities nor NaN.
///
/// Two floats are equal if `=:=` of OTP 27 and later holds: 0.0 is not -0.0. In OTP 25 and 26 these
/// two are the same term.
#[derive(Clone, Copy, Debug, Default)]
pub struct Float(f64);

impl Float {
    /// Returns the float with this value, if that is finite.
    pub fn new(value: f64) -> Option<Self> {
        value.is_finite().then_some(Float(value))
    }

    /// Returns the value, which is finite.
    pub fn value(self) -> f64 {
        self.0
    }

    /// Compares as Erlang's `<` and `==` do: 0.0 and -0.0 are one number.
    pub(crate) fn cmp_by_value(self, other: Self) -> Ordering {
        // Finite values can always be compared.
        self.0.partial_cmp(&other.0).unwrap_or(Ordering::Equal)
    }
}

impl PartialEq for Float {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Float {}

impl Ord for Float {
    /// Floats are ordered by value, and -0.0 comes before 0.0, as among the keys of a map.
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Float {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Float {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Float {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.float(*self)
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for Float {
    const KIND: Shape = Shape::Floats;

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        view.float()
            .ok_or_else(|| DecodeError::expected::<Self, V>(view))
    }
}

impl ErlangType for f64 {
    fn erlang_type() -> String {
        Float::erlang_type()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for f64 {
    /// # Panics
    /// If the value is infinite or NaN: Erlang has no such term, and arithmetic with such a result
    /// fails in Erlang, too.
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        match Float::new(*self) {
            Some(float) => heap.float(float),
            None => panic!("{self} is not an Erlang float"),
        }
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for f64 {
    const KIND: Shape = Shape::Floats;

    /// Accepts only floats, like `float()`. An integer is rejected.
    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        Float::from_term(view).map(Float::value)
    }
}

impl ErlangType for f32 {
    fn erlang_type() -> String {
        Float::erlang_type()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for f32 {
    /// # Panics
    /// Like `to_term` of `f64`.
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        f64::from(*self).to_term(heap)
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for f32 {
    const KIND: Shape = Shape::Some(&Shape::Floats);

    /// Rounds to the nearest value. A value beyond the range of `f32` is rejected.
    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        let value = f64::from_term(view)? as f32;
        if value.is_finite() {
            Ok(value)
        } else {
            Err(DecodeError::beyond_bound::<Self, V>(&Bound::SINGLE, view))
        }
    }
}
