//! Values that borrow from the term that they are read from.

use std::borrow::Cow;

use super::depth::{check_on_any_stack, on_any_stack};
use super::reader::{CHECKED, values};
use super::types::{Binary, UNDEFINED, not_text};
use super::{DecodeError, ErlangType, FromTerm, Misfit, Reader, Shape, TermKind, View, Watcher};

/// A type whose values borrow from the term that they are read from, instead of owning a copy:
/// `&str`, `&[u8]`, and types with one lifetime and `derive(Term)`.
///
/// It is implemented for the type with the lifetime `'static`, which stands for all lifetimes:
/// `&'static str`, `Put<'static>`. Such a value can be an argument of a callback or function that
/// does not wait, and ends with its call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot borrow from an Erlang term",
    label = "add `#[derive(Term)]` to a type with one lifetime",
    note = "`&str` and `&[u8]` can borrow, and an `Option` or `Vec` of a type that can"
)]
pub trait BorrowTerm: ErlangType + Sized + 'static {
    /// The value that borrows during `'a`: `Put<'a>`.
    type Of<'a>;

    /// The outer shape of the type's terms, without their contents.
    const KIND: Shape;

    /// The outer shape, with the kinds of a tuple's elements and of a map's values.
    const SHAPE: Shape = Self::KIND;

    /// Reads the value out of `view`.
    ///
    /// # Errors
    /// The term is not of this type.
    fn borrow<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self::Of<'a>, DecodeError>;

    /// Checks whether [`BorrowTerm::borrow`] would succeed, to the depth of the reader.
    ///
    /// # Errors
    /// It would fail.
    fn check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit>;

    /// Returns the error of a map without the key of such a value.
    #[cold]
    fn missing<'a, V: View<'a>>(key: &'static str, map: V) -> DecodeError {
        DecodeError::missing_key::<Self, V>(key, map)
    }

    /// Shows the watcher every caller in the value.
    #[inline]
    fn watch(_: &mut Self::Of<'_>, _: Watcher<'_>) {}
}

#[diagnostic::do_not_recommend]
impl BorrowTerm for &'static [u8] {
    type Of<'a> = &'a [u8];

    const KIND: Shape = Binary::KIND;

    #[inline]
    fn borrow<'a, V: View<'a>>(view: V, _: Reader<'_>) -> Result<&'a [u8], DecodeError> {
        view.binary()
            .ok_or_else(|| DecodeError::expected::<Binary, V>(view))
    }

    fn check<'a, V: View<'a>>(view: V, _: Reader<'_>) -> Result<(), Misfit> {
        Misfit::unless(view.binary().is_some())
    }
}

#[diagnostic::do_not_recommend]
impl BorrowTerm for &'static str {
    type Of<'a> = &'a str;

    const KIND: Shape = String::KIND;

    #[inline]
    fn borrow<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<&'a str, DecodeError> {
        let bytes = view.binary();
        reader.work(bytes.map_or(0, <[u8]>::len))?;
        bytes
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .ok_or_else(|| not_text(view))
    }

    fn check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        String::__check(view, reader)
    }
}

/// The content is borrowed.
#[diagnostic::do_not_recommend]
impl BorrowTerm for Cow<'static, str> {
    type Of<'a> = Cow<'a, str>;

    const KIND: Shape = String::KIND;

    fn borrow<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Cow<'a, str>, DecodeError> {
        <&'static str>::borrow(view, reader).map(Cow::Borrowed)
    }

    fn check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        String::__check(view, reader)
    }
}

/// `undefined | T`
#[diagnostic::do_not_recommend]
impl<T: BorrowTerm> BorrowTerm for Option<T> {
    type Of<'a> = Option<T::Of<'a>>;

    const KIND: Shape = Shape::Union(&[Shape::Atom("undefined"), T::KIND]);
    const SHAPE: Shape = Shape::Union(&[Shape::Atom("undefined"), T::SHAPE]);

    fn borrow<'a, V: View<'a>>(
        view: V,
        reader: Reader<'_>,
    ) -> Result<Option<T::Of<'a>>, DecodeError> {
        if view.is_atom(&UNDEFINED) {
            return Ok(None);
        }
        let content = T::borrow(view, reader).map(Some);
        content.map_err(|error| error.or_expected::<Self, V>(view))
    }

    fn check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        if view.is_atom(&UNDEFINED) {
            Ok(())
        } else {
            T::check(view, reader)
        }
    }

    #[inline]
    fn watch(value: &mut Option<T::Of<'_>>, watcher: Watcher<'_>) {
        if let Some(content) = value {
            T::watch(content, watcher);
        }
    }
}

/// `[T]`
#[diagnostic::do_not_recommend]
impl<T: BorrowTerm> BorrowTerm for Vec<T> {
    type Of<'a> = Vec<T::Of<'a>>;

    const KIND: Shape = Vec::<Binary>::KIND;

    fn borrow<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Vec<T::Of<'a>>, DecodeError> {
        let Some(elements) = view.list() else {
            return Err(DecodeError::expected::<Self, V>(view));
        };
        let length = elements.len();
        reader.take_values::<T::Of<'a>>(length)?;
        let reader = reader.inner()?;
        on_any_stack(|| {
            let read = |(index, element)| {
                T::borrow(element, reader).map_err(|error: DecodeError| error.at_index(index))
            };
            values(length, elements.enumerate().map(read))
        })
    }

    fn check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        let Some(reader) = reader.all_parts() else {
            return Misfit::unless(view.kind() == TermKind::List);
        };
        let mut elements = view.list().ok_or(Misfit::HERE)?;
        check_on_any_stack(|| {
            elements.try_for_each(|element| {
                if reader.goes_on(CHECKED) {
                    T::check(element, reader).map_err(Misfit::within)
                } else {
                    Err(Misfit::HERE)
                }
            })
        })
    }

    #[inline]
    fn watch(value: &mut Vec<T::Of<'_>>, watcher: Watcher<'_>) {
        value
            .iter_mut()
            .for_each(|element| T::watch(element, watcher));
    }
}
