//! The access of derived code to a field whose type depends on a parameter.
//!
//! Each of the derived traits has another bound on the parameter. If a field is not a term, there
//! should be one error, and not one for each trait. So one function has both bounds
//! ([`IsTerm`](super::IsTerm)), and the traits use the functions that exist.

use std::convert::Infallible;
use std::marker::PhantomData;

use super::{
    DecodeError, ErlangType, FromTerm, Heap, Misfit, Reader, Shape, ToTerm, View, Watcher,
};

/// A field of type `T`.
#[doc(hidden)]
pub struct Part<T>(PhantomData<T>);

impl<T: ErlangType> Part<T> {
    #[must_use]
    pub fn erlang_type() -> String {
        T::erlang_type()
    }
}

impl<T: ToTerm> Part<T> {
    #[inline]
    pub fn to_term<H: Heap>(value: &T, heap: H) -> H::Term {
        value.to_term(heap)
    }
}

impl<T: FromTerm> Part<T> {
    pub const KIND: Shape = T::KIND;
    pub const SHAPE: Shape = T::SHAPE;

    /// # Errors
    /// The errors of [`FromTerm::from_term`].
    #[inline]
    pub fn read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<T, DecodeError> {
        T::__read(view, reader)
    }

    /// # Errors
    /// The term is not one of this type.
    #[inline]
    pub fn check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        T::__check(view, reader)
    }

    #[cold]
    pub fn missing<'a, V: View<'a>>(key: &'static str, map: V) -> DecodeError {
        T::__missing(key, map)
    }

    #[inline]
    pub fn watch(value: &mut T, watcher: Watcher<'_>) {
        value.__watch(watcher);
    }
}

/// The fallback for a field that is not a term. The error is reported elsewhere; a program without
/// that error would fail here at compile time.
#[doc(hidden)]
pub trait NotAPart: Sized {
    type Value;

    const KIND: Shape = Shape::Some(&Shape::Any);
    const SHAPE: Shape = Shape::Some(&Shape::Any);
    /// It depends on `Self`, so that it is evaluated only for such a field. An optimised build
    /// evaluates a constant without dependencies wherever it occurs.
    const UNREACHABLE: Infallible = panic!("a field is not an Erlang term");

    fn erlang_type() -> String {
        match Self::UNREACHABLE {}
    }

    fn to_term<H: Heap>(_: &Self::Value, _: H) -> H::Term {
        match Self::UNREACHABLE {}
    }

    /// # Errors
    /// None.
    fn read<'a, V: View<'a>>(_: V, _: Reader<'_>) -> Result<Self::Value, DecodeError> {
        match Self::UNREACHABLE {}
    }

    /// # Errors
    /// None.
    fn check<'a, V: View<'a>>(_: V, _: Reader<'_>) -> Result<(), Misfit> {
        match Self::UNREACHABLE {}
    }

    fn missing<'a, V: View<'a>>(_: &'static str, _: V) -> DecodeError {
        match Self::UNREACHABLE {}
    }

    fn watch(_: &mut Self::Value, _: Watcher<'_>) {}
}

impl<T> NotAPart for Part<T> {
    type Value = T;
}
