//! Terms that live outside the VM.

use std::fmt;
use std::ops::{Deref, DerefMut};

use super::TermMap;
use super::depth::deeper;
use crate::stack;
use crate::term::types::{Atom, Binary, Bitstring, Float, Fun, Integer, Pid, Port, Reference};

/// Any Erlang term, in Rust's own memory.
///
/// `Display` and `Debug` write Erlang syntax. Two terms are equal if Erlang's `=:=` holds for them.
/// Their order is Erlang's order of terms; if Erlang's `==` holds for two unequal terms (`1` and
/// `1.0`), the integer comes first.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::Term;
///
/// let term = Term::of(&("size", vec![1, 2], Some(3.5)));
/// assert_eq!(term.to_string(), "{<<\"size\">>,[1,2],3.5}");
/// let (name, numbers, _): (String, Vec<u8>, Option<f64>) = term.decode()?;
/// assert_eq!((name.as_str(), numbers), ("size", vec![1, 2]));
/// assert_eq!(
///     term.decode::<u64>().unwrap_err().to_string(),
///     "expected non_neg_integer(), got {<<\"size\">>,[1,2],3.5}"
/// );
/// # Ok::<(), otp_bridge::term::DecodeError>(())
/// ```
#[derive(Clone)]
pub enum Term {
    /// An atom
    Atom(Atom),
    /// An integer of 64 bits
    Integer(i64),
    /// An integer of any size
    BigInteger(Integer),
    /// A float
    Float(Float),
    /// A binary
    Binary(Binary),
    /// A bitstring, usually one that does not consist of whole bytes
    Bitstring(Bitstring),
    /// A proper list
    List(Terms),
    /// A list that does not end in `[]`
    ImproperList(ImproperList),
    /// A tuple
    Tuple(Terms),
    /// A map
    Map(TermMap),
    /// A process identifier
    Pid(Pid),
    /// A port identifier
    Port(Port),
    /// A reference
    Reference(Reference),
    /// A fun
    Fun(Fun),
}

impl Term {
    /// Returns the empty list, `[]`.
    pub const fn nil() -> Term {
        Term::List(Terms::new())
    }
}

/// Elements of an owned list or tuple.
///
/// They are a `[Term]` and can be created from a `Vec`. Unlike a `Vec`, they are copied and dropped
/// without a stack overflow at any depth.
#[derive(Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Terms(Vec<Term>);

impl Terms {
    /// Returns an empty collection.
    pub const fn new() -> Self {
        Terms(Vec::new())
    }

    /// Returns the elements.
    pub fn as_slice(&self) -> &[Term] {
        &self.0
    }

    /// Returns the elements.
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

/// A list with a term other than `[]` after its last element: `[a, b | c]`.
#[derive(Clone)]
pub struct ImproperList {
    elements: Terms,
    tail: Box<Term>,
}

impl ImproperList {
    /// Returns the term `[Elements | Tail]` for any tail. If the tail is a list, it continues the
    /// elements. Without elements the term is the tail.
    pub fn term(elements: impl Into<Terms>, tail: Term) -> Term {
        let mut elements = elements.into();
        match tail {
            tail if elements.is_empty() => tail,
            Term::List(more) => {
                elements.extend(more);
                Term::List(elements)
            }
            Term::ImproperList(more) => {
                elements.extend(more.elements);
                Term::ImproperList(ImproperList {
                    elements,
                    tail: more.tail,
                })
            }
            tail => Term::ImproperList(ImproperList {
                elements,
                tail: Box::new(tail),
            }),
        }
    }

    /// Moves the parts, so that they can be dropped one after another.
    pub(super) fn take_parts(&mut self, parts: &mut Vec<Term>) {
        parts.extend(std::mem::take(&mut self.elements));
        parts.push(std::mem::replace(&mut *self.tail, Term::nil()));
    }

    /// Returns the elements, at least one.
    pub fn elements(&self) -> &[Term] {
        &self.elements
    }

    /// Returns the term after the last element. It is not a list.
    pub fn tail(&self) -> &Term {
        &self.tail
    }
}

/// Drops terms from the outside inwards, in a loop.
pub(super) fn drop_parts(terms: Vec<Term>) {
    if !terms.iter().any(has_parts) {
        return;
    }
    // The captured values of a fun are behind a pointer that may have other owners, so dropping
    // them calls this function again.
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

/// Moves the parts of a term to `left`. Dropping the rest of the term needs no recursion.
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
