//! Patterns of keys and values.

use super::{Columns, TableValue};
use crate::{FromTerm, Heap, ToTerm, atom};

/// Matches every value, in a [pattern](TablePattern).
#[derive(Debug, Clone, Copy)]
pub struct Any;

/// A pattern of terms of type `T`: `&value`, a tuple of patterns for a tuple, or [`Any`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a pattern of a `{T}`",
    label = "not a pattern of this type",
    note = "a pattern is `&value`, `Any`, or for a tuple a tuple of patterns: `(&7, Any)`"
)]
pub trait TablePattern<T> {
    /// `any | {is, Value} | {tuple, Patterns}`
    #[doc(hidden)]
    fn pattern<H: Heap>(&self, heap: H) -> H::Term;
}

#[diagnostic::do_not_recommend]
impl<T> TablePattern<T> for Any {
    fn pattern<H: Heap>(&self, heap: H) -> H::Term {
        atom!("any").to_term(heap)
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToTerm> TablePattern<T> for &T {
    fn pattern<H: Heap>(&self, heap: H) -> H::Term {
        heap.tuple([atom!("is").to_term(heap), self.to_term(heap)])
    }
}

/// A pattern of a table's values: a [`TablePattern`], or for [`Columns`] a tuple of patterns.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a pattern of a `{T}`",
    label = "not a pattern of this type",
    note = "a pattern is `&value`, `Any`, or for a tuple and for `Columns` a tuple of patterns: `(&7, Any)`"
)]
pub trait ValuePattern<T> {
    /// The patterns of its columns.
    #[doc(hidden)]
    fn columns<H: Heap>(&self, heap: H) -> Vec<H::Term>;
}

#[diagnostic::do_not_recommend]
impl<T: ToTerm + FromTerm, P: TablePattern<T>> ValuePattern<T> for P {
    fn columns<H: Heap>(&self, heap: H) -> Vec<H::Term> {
        vec![self.pattern(heap)]
    }
}

#[diagnostic::do_not_recommend]
impl<T> ValuePattern<Columns<T>> for Any
where
    Columns<T>: TableValue,
{
    fn columns<H: Heap>(&self, heap: H) -> Vec<H::Term> {
        let any = || TablePattern::<T>::pattern(self, heap);
        std::iter::repeat_with(any)
            .take(Columns::<T>::COLUMNS)
            .collect()
    }
}

macro_rules! tuple_patterns {
    ($($($name:ident $pattern:ident $variable:ident)+;)+) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($name,)+ $($pattern: TablePattern<$name>),+> TablePattern<($($name,)+)> for ($($pattern,)+) {
            fn pattern<Hp: Heap>(&self, heap: Hp) -> Hp::Term {
                let ($($variable,)+) = self;
                let patterns = heap.list([$($variable.pattern(heap)),+]);
                heap.tuple([atom!("tuple").to_term(heap), patterns])
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($name,)+ $($pattern: TablePattern<$name>),+> ValuePattern<Columns<($($name,)+)>> for ($($pattern,)+) {
            fn columns<Hp: Heap>(&self, heap: Hp) -> Vec<Hp::Term> {
                let ($($variable,)+) = self;
                vec![$($variable.pattern(heap)),+]
            }
        }
    )+};
}

tuple_patterns! {
    A PA a B PB b;
    A PA a B PB b C PC c;
    A PA a B PB b C PC c D PD d;
    A PA a B PB b C PC c D PD d E PE e;
    A PA a B PB b C PC c D PD d E PE e F PF f;
}
