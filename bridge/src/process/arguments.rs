//! Argument lists of `apply`.

use crate::{Heap, Term, ToTerm};

/// A list of arguments: `()`, a tuple of up to eight terms, or a vector of
/// [`Term`](enum@crate::Term)s.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of arguments",
    label = "the arguments of a function are a tuple: `()`, `(one,)`, `(one, other)`"
)]
pub trait Arguments {
    /// The list of arguments.
    fn to_list<H: Heap>(&self, heap: H) -> H::Term;
}

#[diagnostic::do_not_recommend]
impl Arguments for () {
    fn to_list<H: Heap>(&self, heap: H) -> H::Term {
        heap.list(Vec::new())
    }
}

#[diagnostic::do_not_recommend]
impl Arguments for Vec<Term> {
    fn to_list<H: Heap>(&self, heap: H) -> H::Term {
        self.to_term(heap)
    }
}

// The compiler lists the types that are not left out here, and says which element is not a term.
macro_rules! arguments {
    ($(#[$attribute:meta])* $($name:ident)+) => {
        $(#[$attribute])*
        impl<$($name: ToTerm),+> Arguments for ($($name,)+) {
            fn to_list<Hp: Heap>(&self, heap: Hp) -> Hp::Term {
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
arguments!(#[diagnostic::do_not_recommend] A B C D E);
arguments!(#[diagnostic::do_not_recommend] A B C D E F);
arguments!(#[diagnostic::do_not_recommend] A B C D E F G);
arguments!(#[diagnostic::do_not_recommend] A B C D E F G I);
