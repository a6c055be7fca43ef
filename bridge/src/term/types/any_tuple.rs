//! `tuple()`, of any size.

use std::ops::Deref;

use crate::term::{DecodeError, FromTerm, Heap, Reader, Shape, Term, ToTerm, View};

/// A tuple of any number of elements. Tuples of a fixed size are Rust's own tuples.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tuple(
    /// The elements.
    pub Vec<Term>,
);

impl Deref for Tuple {
    type Target = [Term];

    fn deref(&self) -> &[Term] {
        &self.0
    }
}

impl From<Vec<Term>> for Tuple {
    fn from(elements: Vec<Term>) -> Self {
        Tuple(elements)
    }
}

macro_rules! from_tuples {
    ($(($($name:ident)*);)*) => {$(
        impl<$($name: ToTerm),*> From<($($name,)*)> for Tuple {
            #[allow(non_snake_case, clippy::unused_unit, reason = "each variable has the name of its type")]
            fn from(($($name,)*): ($($name,)*)) -> Self {
                Tuple(vec![$(Term::of(&$name)),*])
            }
        }
    )*};
}

from_tuples! {
    ();
    (A);
    (A B);
    (A B C);
    (A B C D);
    (A B C D E);
    (A B C D E F);
    (A B C D E F G);
    (A B C D E F G H);
}

#[diagnostic::do_not_recommend]
impl ToTerm for Tuple {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.tuple_from(self.iter().map(|element| element.to_term(heap)).collect())
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for Tuple {
    const KIND: Shape = Shape::AllTuples;

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        Reader::start(|reader| Self::__read(view, reader))
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        let Some(elements) = view.tuple_elements() else {
            return Err(DecodeError::expected::<Self, V>(view));
        };
        reader.take_values::<Term>(elements.len())?;
        let reader = reader.inner()?;
        let read = |(position, element)| {
            let element = Term::__read(element, reader);
            element.map_err(|error: DecodeError| error.at_element(position))
        };
        elements
            .enumerate()
            .map(read)
            .collect::<Result<_, _>>()
            .map(Tuple)
    }
}
