//! Where terms are built

use super::{AnyResource, Saved, StaticAtom};
use crate::term::types::{Atom, Bitstring, Float, Fun, Integer, Pid, Port, Reference};

/// Memory in which a term is built: the VM's heap or Rust's own memory ([`super::OwnedHeap`]).
///
/// The parts of a term are built before the whole: `to_term` of a pair is
/// `heap.tuple([self.0.to_term(heap), self.1.to_term(heap)])`.
pub trait Heap: Copy {
    /// A finished term.
    type Term;

    /// An atom of the program's text.
    fn atom(self, atom: &'static StaticAtom) -> Self::Term;

    /// An atom that is known only at run time.
    ///
    /// # Panics
    /// On the VM's heap, if the atom was read from bytes and the VM does not have it: text from
    /// outside never adds to the VM's atom table, which is not garbage-collected.
    fn dynamic_atom(self, atom: &Atom) -> Self::Term;

    /// A signed integer.
    fn integer(self, value: i64) -> Self::Term;

    /// An unsigned integer.
    fn unsigned(self, value: u64) -> Self::Term;

    /// An integer of any size.
    fn big_integer(self, value: &Integer) -> Self::Term;

    /// A float; Erlang has neither infinities nor NaN.
    fn float(self, value: Float) -> Self::Term;

    /// A binary.
    fn binary(self, bytes: &[u8]) -> Self::Term;

    /// A binary of bytes that have several owners. On the VM's heap, a large one is not copied: the
    /// binary is one more owner.
    fn shared_binary(self, bytes: &bytes::Bytes) -> Self::Term {
        self.binary(bytes)
    }

    /// A bitstring; with whole bytes it is a binary.
    fn bitstring(self, bits: &Bitstring) -> Self::Term;

    /// A tuple whose size is known to the compiler.
    fn tuple<const N: usize>(self, elements: [Self::Term; N]) -> Self::Term;

    /// A tuple of any size.
    ///
    /// # Panics
    /// On the VM's heap, if there are more than the 2^24 - 1 elements of an Erlang tuple.
    fn tuple_from(self, elements: Vec<Self::Term>) -> Self::Term;

    /// A proper list.
    fn list<I>(self, elements: I) -> Self::Term
    where
        I: IntoIterator<Item = Self::Term, IntoIter: DoubleEndedIterator>;

    /// A list that ends in `tail`. It is a proper list if `tail` is one.
    fn list_with_tail<I>(self, elements: I, tail: Self::Term) -> Self::Term
    where
        I: IntoIterator<Item = Self::Term, IntoIter: DoubleEndedIterator>;

    /// A map of distinct keys. `None` stands for an optional key that is absent.
    fn map<const N: usize>(self, entries: [Option<(Self::Term, Self::Term)>; N]) -> Self::Term;

    /// A map of any size. If two entries have the same key, the later one counts.
    fn map_from<I>(self, entries: I) -> Self::Term
    where
        I: IntoIterator<Item = (Self::Term, Self::Term)>;

    /// A process identifier.
    fn pid(self, pid: &Pid) -> Self::Term;

    /// A port identifier.
    fn port(self, port: &Port) -> Self::Term;

    /// A reference.
    fn reference(self, reference: &Reference) -> Self::Term;

    /// The reference to a resource.
    fn resource(self, resource: &AnyResource) -> Self::Term;

    /// A fun.
    fn fun(self, fun: &Fun) -> Self::Term;

    /// A saved term.
    ///
    /// # Panics
    /// On the owned heap, if the term is nested deeper than [`super::MAX_DEPTH`].
    fn saved(self, saved: &Saved) -> Self::Term;
}
