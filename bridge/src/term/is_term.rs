//! Both traits of a typed term in one, so that a type with neither gives one message.

use super::{DecodeError, FromTerm, Heap, Misfit, Reader, Shape, ToTerm, View, Watcher};

/// A value that can be written as a term and read from one: every type that is both [`ToTerm`] and
/// [`FromTerm`], such as one with `derive(Term)`.
///
/// A bound with this trait gives one error for a type that is not a term, where bounds with both
/// traits give two. For the same reason derived code uses it for fields. It has no supertraits,
/// because the compiler would check these first wherever it is named.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an Erlang term",
    label = "add `#[derive(Term)]` to the type, if it is yours",
    note = "a list, tuple, map, `Option` or `Box` is a term if its contents are; use milliseconds instead of a `Duration`, a `Vec` instead of a set, and `Serde<T>` for a type with serde's traits"
)]
pub trait IsTerm: Sized {
    #[doc(hidden)]
    const KIND_OF_TERM: Shape;
    #[doc(hidden)]
    const SHAPE_OF_TERM: Shape;

    #[doc(hidden)]
    fn type_of_term() -> String;

    #[doc(hidden)]
    fn write_term<H: Heap>(&self, heap: H) -> H::Term;

    #[doc(hidden)]
    fn read_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError>;

    #[doc(hidden)]
    fn read_part<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError>;

    #[doc(hidden)]
    fn check_part<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit>;

    #[doc(hidden)]
    fn watch_part(&mut self, watcher: Watcher<'_>);

    #[doc(hidden)]
    fn missing_part<'a, V: View<'a>>(key: &'static str, map: V) -> DecodeError;
}

#[diagnostic::do_not_recommend]
impl<T: ToTerm + FromTerm> IsTerm for T {
    const KIND_OF_TERM: Shape = <T as FromTerm>::KIND;
    const SHAPE_OF_TERM: Shape = <T as FromTerm>::SHAPE;

    fn type_of_term() -> String {
        <T as crate::ErlangType>::erlang_type()
    }

    #[inline]
    fn write_term<H: Heap>(&self, heap: H) -> H::Term {
        <T as ToTerm>::to_term(self, heap)
    }

    #[inline]
    fn read_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        <T as FromTerm>::from_term(view)
    }

    #[inline]
    fn read_part<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        <T as FromTerm>::__read(view, reader)
    }

    #[inline]
    fn check_part<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        <T as FromTerm>::__check(view, reader)
    }

    #[inline]
    fn watch_part(&mut self, watcher: Watcher<'_>) {
        <T as FromTerm>::__watch(self, watcher);
    }

    #[cold]
    fn missing_part<'a, V: View<'a>>(key: &'static str, map: V) -> DecodeError {
        <T as FromTerm>::__missing(key, map)
    }
}
