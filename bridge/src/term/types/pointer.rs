//! `Box`, `Arc`, `Rc`, `Cow` and references: the terms of their targets.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use crate::term::depth::{check_on_any_stack, deeper, on_any_stack};
use crate::term::{
    DecodeError, ErlangType, FromTerm, Heap, Misfit, Reader, Shape, ToTerm, View, Watcher,
};

macro_rules! pointers {
    ($($pointer:ident by $content:path;)*) => {$(
        impl<T: ErlangType + ?Sized> ErlangType for $pointer<T> {
            const __IS_UNIT: bool = T::__IS_UNIT;

            fn erlang_type() -> String {
                T::erlang_type()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: ToTerm + ?Sized> ToTerm for $pointer<T> {
            fn to_term<H: Heap>(&self, heap: H) -> H::Term {
                deeper(|| (**self).to_term(heap))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: FromTerm> FromTerm for $pointer<T> {
    const KIND: Shape = T::KIND;
    const SHAPE: Shape = T::SHAPE;

            fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
                Reader::start(|reader| Self::__read(view, reader))
            }

            fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
                reader.take_values::<T>(1)?;
                on_any_stack(|| T::__read(view, reader).map($pointer::new))
            }

            #[inline]
            fn __of_ok() -> Option<Self> {
                T::__of_ok().map($pointer::new)
            }

            fn __check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
                if reader.looks_at_all() { check_on_any_stack(|| T::__check(view, reader)) } else { T::__check(view, reader) }
            }

            #[inline]
            fn __watch(&mut self, watcher: Watcher<'_>) {
                if let Some(content) = $content(self) {
                    content.__watch(watcher);
                }
            }
        }
    )*};
}

pointers! {
    Box by content_of_box;
    // A value that has just been read has no other owner.
    Arc by Arc::get_mut;
    Rc by Rc::get_mut;
}

fn content_of_box<T>(pointer: &mut Box<T>) -> Option<&mut T> {
    Some(pointer)
}

impl<T: ErlangType + ?Sized> ErlangType for &T {
    const __IS_UNIT: bool = T::__IS_UNIT;

    fn erlang_type() -> String {
        T::erlang_type()
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToTerm + ?Sized> ToTerm for &T {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        (**self).to_term(heap)
    }
}

impl<T: ErlangType + ToOwned + ?Sized> ErlangType for Cow<'_, T> {
    fn erlang_type() -> String {
        T::erlang_type()
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToTerm + ToOwned + ?Sized> ToTerm for Cow<'_, T> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        (**self).to_term(heap)
    }
}

/// The content is always read as an owned value.
#[diagnostic::do_not_recommend]
impl<T: FromTerm + Clone> FromTerm for Cow<'_, T> {
    const KIND: Shape = T::KIND;
    const SHAPE: Shape = T::SHAPE;

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        T::from_term(view).map(Cow::Owned)
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        T::__read(view, reader).map(Cow::Owned)
    }

    fn __check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        T::__check(view, reader)
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for Cow<'_, str> {
    const KIND: Shape = String::KIND;

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        String::from_term(view).map(Cow::Owned)
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        String::__read(view, reader).map(Cow::Owned)
    }

    fn __check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        String::__check(view, reader)
    }
}
