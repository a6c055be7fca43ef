//! `[T]`; a slice of bytes is a binary.

use std::collections::VecDeque;

use crate::term::depth::{check_on_any_stack, deeper, on_any_stack};
use crate::term::reader::{CHECKED, values};
use crate::term::types::Binary;
use crate::term::{
    DecodeError, ErlangType, FromTerm, Heap, Misfit, Reader, Shape, TermKind, ToTerm, View, Watcher,
};

/// `&[u8]` is `binary()`, as for a borrowed argument; other slices are lists, and so is a
/// `Vec<u8>`.
impl<T: ErlangType> ErlangType for [T] {
    fn erlang_type() -> String {
        match T::__as_bytes(&[]) {
            Some(_) => Binary::erlang_type(),
            None => Vec::<T>::erlang_type(),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToTerm> ToTerm for [T] {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        match T::__as_bytes(self) {
            Some(bytes) => heap.binary(bytes),
            None => list(self, heap),
        }
    }
}

fn list<T: ToTerm, H: Heap>(elements: &[T], heap: H) -> H::Term {
    deeper(|| heap.list(elements.iter().map(|element| element.to_term(heap))))
}

impl<T: ErlangType> ErlangType for Vec<T> {
    fn erlang_type() -> String {
        format!("[{}]", T::erlang_type())
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToTerm> ToTerm for Vec<T> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        list(self, heap)
    }
}

impl<T: ErlangType> ErlangType for VecDeque<T> {
    fn erlang_type() -> String {
        Vec::<T>::erlang_type()
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToTerm> ToTerm for VecDeque<T> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        deeper(|| heap.list(self.iter().map(|element| element.to_term(heap))))
    }
}

macro_rules! lists {
    ($($list:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: FromTerm> FromTerm for $list<T> {
            const KIND: Shape =
                Shape::Union(&[Shape::EmptyList, Shape::Some(&Shape::NonemptyLists)]);
            const SHAPE: Shape = Shape::ListsOf(&T::KIND);

            fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
                Reader::start(|reader| Self::__read(view, reader))
            }

            fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
                let Some(elements) = view.list() else {
                    return Err(DecodeError::expected::<Self, V>(view));
                };
                let length = elements.len();
                reader.take_values::<T>(length)?;
                let reader = reader.inner()?;
                on_any_stack(|| {
                    let read = |(index, element)| {
                        T::__read(element, reader)
                            .map_err(|error: DecodeError| error.at_index(index))
                    };
                    values(length, elements.enumerate().map(read)).map(Self::from)
                })
            }

            fn __check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
                let Some(reader) = reader.all_parts() else {
                    return Misfit::unless(view.kind() == TermKind::List);
                };
                let elements = view.list().ok_or(Misfit::HERE)?;
                check_on_any_stack(|| check_all::<T, V>(elements, reader))
            }

            #[inline]
            fn __watch(&mut self, watcher: Watcher<'_>) {
                self.iter_mut().for_each(|element| element.__watch(watcher));
            }
        }
    )*};
}

lists! { Vec VecDeque }

pub(super) fn check_all<'a, T: FromTerm, V: View<'a>>(
    mut elements: impl Iterator<Item = V>,
    reader: Reader<'_>,
) -> Result<(), Misfit> {
    elements.try_for_each(|element| match reader.goes_on(CHECKED) {
        true => T::__check(element, reader).map_err(Misfit::within),
        false => Err(Misfit::HERE),
    })
}

impl<T: ErlangType, const N: usize> ErlangType for [T; N] {
    fn erlang_type() -> String {
        Vec::<T>::erlang_type()
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToTerm, const N: usize> ToTerm for [T; N] {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        list(self, heap)
    }
}

/// A list of `N` elements.
#[diagnostic::do_not_recommend]
impl<T: FromTerm, const N: usize> FromTerm for [T; N] {
    const KIND: Shape = match N {
        0 => Shape::EmptyList,
        _ => Shape::Some(&Shape::NonemptyLists),
    };
    const SHAPE: Shape = match N {
        0 => Shape::EmptyList,
        _ => Shape::Some(&Shape::ListsOf(&T::KIND)),
    };

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        Reader::start(|reader| Self::__read(view, reader))
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        let elements = Vec::<T>::__read(view, reader)?;
        let length = elements.len();
        let read = elements.try_into();
        read.map_err(|_| {
            DecodeError::expected_text(format!("a list of {N} elements, not {length}"), view)
        })
    }

    fn __check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        let elements = view.list().ok_or(Misfit::HERE)?;
        Misfit::unless(elements.len() == N)?;
        Vec::<T>::__check(view, reader)
    }

    #[inline]
    fn __watch(&mut self, watcher: Watcher<'_>) {
        self.iter_mut().for_each(|element| element.__watch(watcher));
    }
}
