//! The three traits of a typed term.

use std::any::Any;

use super::{DecodeError, Heap, Lent, Misfit, Reader, Shape, TermKind, View, without_texts};

/// A function that is called with each caller in a value that was read. It can change the data
/// about which clause is responsible for the reply.
#[doc(hidden)]
pub type Watcher<'w> = &'w dyn Fn(&mut dyn Any);

/// A Rust type that has an Erlang type.
pub trait ErlangType {
    /// Returns the Erlang text of the type, for messages and specs:
    /// `permanent | transient | temporary`.
    fn erlang_type() -> String;

    /// Whether it is `()`. A [`Result`] of `()` is written as `ok` and not as `{ok, {}}`.
    #[doc(hidden)]
    const __IS_UNIT: bool = false;

    /// Returns the bytes of a slice that is a binary.
    #[doc(hidden)]
    #[inline]
    fn __as_bytes(_: &[Self]) -> Option<&[u8]>
    where
        Self: Sized,
    {
        None
    }
}

/// A value that can be written as a term.
///
/// Implementations of this trait and of [`FromTerm`] carry `do_not_recommend`. Otherwise the
/// compiler would list eight of some hundred types in each error about a type that does not
/// implement the trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as an Erlang term",
    label = "add `#[derive(Term)]` to the type, if it is yours",
    note = "a list, tuple, map, `Option` or `Box` can be written if its contents can; use milliseconds instead of a `Duration`, a `Vec` instead of a set, and `Serde<T>` for a type with serde's traits"
)]
pub trait ToTerm: ErlangType {
    /// Builds the term of `self` on `heap`.
    fn to_term<H: Heap>(&self, heap: H) -> H::Term;

    /// Whether this is the error for a term of the wrong type.
    #[doc(hidden)]
    const __IS_BAD_TERM: bool = false;

    /// [`ErlangType::erlang_type`], for derived code. If the type of a field is not a term, this
    /// gives one error and not one for each trait.
    #[doc(hidden)]
    fn __erlang_type() -> String {
        Self::erlang_type()
    }
}

/// A value that can be read from a term.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from an Erlang term",
    label = "add `#[derive(Term)]` to the type, if it is yours",
    note = "a list, tuple, map, `Option` or `Box` can be read if its contents can; use milliseconds instead of a `Duration`, a `Vec` instead of a set, and `Serde<T>` for a type with serde's traits"
)]
pub trait FromTerm: ErlangType + Sized {
    /// The outer shape of the type's terms, without their contents.
    const KIND: Shape = Shape::Some(&Shape::Any);

    /// The outer shape, with the kinds of a tuple's elements and of a map's values.
    const SHAPE: Shape = Self::KIND;

    /// Reads the value out of `view`.
    ///
    /// # Errors
    /// The term is not of this type. The error has the path, the expected type and the actual term.
    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError>;

    /// [`FromTerm::from_term`] for a part of a term.
    #[doc(hidden)]
    #[inline]
    fn __read<'a, V: View<'a>>(view: V, _: Reader<'_>) -> Result<Self, DecodeError> {
        Self::from_term(view)
    }

    /// Reads a value that a call uses only while the term lives, and only by reference.
    #[doc(hidden)]
    #[inline]
    fn __lend<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Lent<'a, Self>, DecodeError> {
        Self::__read(view, reader).map(Lent::new)
    }

    /// Returns the value of `Ok` that the atom `ok` alone stands for. `None` if there is none.
    #[doc(hidden)]
    #[inline]
    fn __of_ok() -> Option<Self> {
        None
    }

    /// Returns the error of a map without the key of such a value.
    #[doc(hidden)]
    #[cold]
    fn __missing<'a, V: View<'a>>(key: &'static str, map: V) -> DecodeError {
        DecodeError::missing_key::<Self, V>(key, map)
    }

    /// Checks whether [`FromTerm::from_term`] would succeed, to the depth of the reader. With one
    /// level the check is at least as precise as [`FromTerm::SHAPE`], and without levels as
    /// [`FromTerm::KIND`].
    #[doc(hidden)]
    #[inline]
    fn __check<'a, V: View<'a>>(view: V, _: Reader<'_>) -> Result<(), Misfit> {
        check_by_kind::<Self, V>(view)
    }

    /// Shows the watcher every caller in the value, because the code that has read the value has to
    /// reply to them.
    #[doc(hidden)]
    #[inline]
    fn __watch(&mut self, _: Watcher<'_>) {}
}

/// [`FromTerm::__check`] of a type without a check of its own: compares the kind if that is enough,
/// and otherwise reads the value.
#[inline]
fn check_by_kind<'a, T: FromTerm, V: View<'a>>(view: V) -> Result<(), Misfit> {
    match kind_has(&T::KIND, view) {
        Some(true) => Ok(()),
        Some(false) => Err(Misfit::HERE),
        None => check_by_reading::<T, V>(view),
    }
}

fn check_by_reading<'a, T: FromTerm, V: View<'a>>(view: V) -> Result<(), Misfit> {
    match without_texts(|| T::from_term(view)) {
        Ok(_) => Ok(()),
        Err(_) => Err(Misfit::HERE),
    }
}

/// Returns whether a term is of a kind. `None` if it must be read to find out.
#[inline]
fn kind_has<'a, V: View<'a>>(kind: &Shape, view: V) -> Option<bool> {
    let is = |kind| Some(view.kind() == kind);
    match kind {
        Shape::Any => Some(true),
        Shape::Atoms => is(TermKind::Atom),
        Shape::Integers(None, None) => is(TermKind::Integer),
        Shape::Floats => is(TermKind::Float),
        Shape::Binaries => Some(view.binary().is_some()),
        Shape::Bitstrings => is(TermKind::Bitstring),
        Shape::EmptyList => Some(view.is_empty_list()),
        Shape::AllTuples => is(TermKind::Tuple),
        Shape::Tuples(arity) => Some(view.tuple_arity() == Some(*arity)),
        Shape::EmptyMap => Some(view.map_size() == Some(0)),
        Shape::Maps => is(TermKind::Map),
        Shape::Pids => is(TermKind::Pid),
        Shape::Ports => is(TermKind::Port),
        Shape::References => is(TermKind::Reference),
        Shape::Funs => is(TermKind::Fun),
        Shape::Atom(_)
        | Shape::Integers(..)
        | Shape::NonemptyLists
        | Shape::ListsOf(_)
        | Shape::MapsOf(..)
        | Shape::Elements(_)
        | Shape::Keys { .. }
        | Shape::Some(_)
        | Shape::Union(_) => None,
    }
}
