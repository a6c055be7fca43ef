//! The elements of owned lists and tuples

use std::fmt;
use std::ops::{Deref, DerefMut};

use super::Term;
use super::depth::deeper;
use crate::stack;

/// Elements of an owned list or tuple.
///
/// They are a `[Term]` and made from a `Vec`. Unlike that, they are copied and dropped without
/// overflowing the stack, however deep they are nested.
#[derive(Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Terms(Vec<Term>);

impl Terms {
    /// No elements.
    pub const fn new() -> Self {
        Terms(Vec::new())
    }

    /// The elements.
    pub fn as_slice(&self) -> &[Term] {
        &self.0
    }

    /// The elements.
    pub fn into_vec(mut self) -> Vec<Term> {
        std::mem::take(&mut self.0)
    }
}

impl Deref for Terms {
    type Target = [Term];

    fn deref(&self) -> &[Term] {
        &self.0
    }
}

impl DerefMut for Terms {
    fn deref_mut(&mut self) -> &mut [Term] {
        &mut self.0
    }
}

impl From<Vec<Term>> for Terms {
    fn from(elements: Vec<Term>) -> Self {
        Terms(elements)
    }
}

impl<const N: usize> From<[Term; N]> for Terms {
    fn from(elements: [Term; N]) -> Self {
        Terms(elements.into())
    }
}

impl FromIterator<Term> for Terms {
    fn from_iter<I: IntoIterator<Item = Term>>(elements: I) -> Self {
        Terms(elements.into_iter().collect())
    }
}

impl Extend<Term> for Terms {
    fn extend<I: IntoIterator<Item = Term>>(&mut self, elements: I) {
        self.0.extend(elements);
    }
}

impl IntoIterator for Terms {
    type Item = Term;
    type IntoIter = std::vec::IntoIter<Term>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

impl<'a> IntoIterator for &'a Terms {
    type Item = &'a Term;
    type IntoIter = std::slice::Iter<'a, Term>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Clone for Terms {
    fn clone(&self) -> Self {
        deeper(|| Terms(self.0.clone()))
    }
}

impl fmt::Debug for Terms {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Drop for Terms {
    fn drop(&mut self) {
        drop_parts(std::mem::take(&mut self.0));
    }
}

/// Drops terms from the outside inwards, in a loop.
pub(super) fn drop_parts(terms: Vec<Term>) {
    if !terms.iter().any(has_parts) {
        return;
    }
    // What a fun has captured is behind a pointer that others may have, too, and ends in here again.
    let dropped = stack::deeper(move || {
        let mut left = terms;
        while let Some(mut term) = left.pop() {
            take_parts(&mut term, &mut left);
        }
    });
    debug_assert!(dropped.is_ok(), "nothing nests funs so deep");
}

fn has_parts(term: &Term) -> bool {
    match term {
        Term::List(elements) | Term::Tuple(elements) => !elements.is_empty(),
        Term::Map(entries) => !entries.is_empty(),
        Term::ImproperList(_) | Term::Fun(_) => true,
        Term::Atom(_)
        | Term::Integer(_)
        | Term::BigInteger(_)
        | Term::Float(_)
        | Term::Binary(_)
        | Term::Bitstring(_)
        | Term::Pid(_)
        | Term::Port(_)
        | Term::Reference(_) => false,
    }
}

/// Moves the parts of a term, of which nothing else is left to drop.
fn take_parts(term: &mut Term, left: &mut Vec<Term>) {
    match term {
        Term::List(elements) | Term::Tuple(elements) => left.append(&mut elements.0),
        Term::ImproperList(list) => list.take_parts(left),
        Term::Map(entries) => {
            let entries = std::mem::take(entries).into_iter();
            left.extend(entries.flat_map(|(key, value)| [key, value]));
        }
        Term::Atom(_)
        | Term::Integer(_)
        | Term::BigInteger(_)
        | Term::Float(_)
        | Term::Binary(_)
        | Term::Bitstring(_)
        | Term::Pid(_)
        | Term::Port(_)
        | Term::Reference(_)
        | Term::Fun(_) => {}
    }
}
