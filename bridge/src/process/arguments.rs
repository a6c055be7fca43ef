//! Argument lists of `apply`.

use crate::{Heap, Term, ToTerm};

/// A list of arguments: `()`, a tuple of up to nine terms, or a vector of
/// [`Term`](enum@crate::Term)s.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of arguments",
    label = "the arguments of a function are a tuple: `()`, `(one,)`, `(one, other)`"
)]
pub trait Arguments {
    /// Builds the list of arguments.
    fn to_list<H: Heap>(&self, heap: H) -> H::Term;
}

/// The types that are such a list. They have a trait of their own because otherwise, for an element
/// that is not a term, the compiler would append all implementations of [`Arguments`] to its
/// message.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of arguments",
    label = "the arguments of a function are a tuple: `()`, `(one,)`, `(one, other)`"
)]
pub trait ArgumentList {
    fn elements<H: Heap>(&self, heap: H) -> H::Term;
}

impl<T: ArgumentList> Arguments for T {
    fn to_list<H: Heap>(&self, heap: H) -> H::Term {
        self.elements(heap)
    }
}

#[diagnostic::do_not_recommend]
impl ArgumentList for () {
    fn elements<H: Heap>(&self, heap: H) -> H::Term {
        heap.list(Vec::new())
    }
}

#[diagnostic::do_not_recommend]
impl ArgumentList for Vec<Term> {
    fn elements<H: Heap>(&self, heap: H) -> H::Term {
        self.to_term(heap)
    }
}

macro_rules! arguments {
    ($($name:ident)+) => {
        impl<$($name: ToTerm),+> ArgumentList for ($($name,)+) {
            fn elements<Hp: Heap>(&self, heap: Hp) -> Hp::Term {
                #[allow(non_snake_case, reason = "each variable has the name of its type")]
                let ($($name,)+) = self;
                heap.list(vec![$($name.to_term(heap)),+])
            }
        }
    };
}

arguments!(A);
arguments!(A B);
arguments!(A B C);
arguments!(A B C D);
arguments!(A B C D E);
arguments!(A B C D E F);
arguments!(A B C D E F G);
arguments!(A B C D E F G I);
arguments!(A B C D E F G I J);
