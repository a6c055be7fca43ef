//! `[T]`

use crate::term::{DecodeError, ErlangType, FromTerm, Heap, Shape, ToTerm, View, guard_depth};

impl<T: ErlangType> ErlangType for [T] {
    fn erlang_type() -> String {
        format!("[{}]", T::erlang_type())
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToTerm> ToTerm for [T] {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.list(self.iter().map(|element| element.to_term(heap)))
    }
}

impl<T: ErlangType> ErlangType for Vec<T> {
    fn erlang_type() -> String {
        <[T]>::erlang_type()
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToTerm> ToTerm for Vec<T> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        self.as_slice().to_term(heap)
    }
}

#[diagnostic::do_not_recommend]
impl<T: FromTerm> FromTerm for Vec<T> {
    const KIND: Shape = Shape::Union(&[Shape::EmptyList, Shape::Some(&Shape::NonemptyLists)]);

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        let Some(elements) = view.list() else {
            return Err(DecodeError::expected::<Self, V>(view));
        };
        guard_depth(|| {
            let read = |(index, element)| {
                T::from_term(element).map_err(|error: DecodeError| error.at_index(index))
            };
            elements.enumerate().map(read).collect()
        })
    }
}

impl<T: ErlangType, const N: usize> ErlangType for [T; N] {
    fn erlang_type() -> String {
        <[T]>::erlang_type()
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToTerm, const N: usize> ToTerm for [T; N] {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        self.as_slice().to_term(heap)
    }
}
