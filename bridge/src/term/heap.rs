//! Memory in which terms are built.

use super::{AnyResource, Saved, StaticAtom};
use crate::term::types::{Atom, Bitstring, Float, Fun, Integer, Pid, Port, Reference};

/// Memory in which a term is built: the VM's heap or Rust's own memory ([`super::OwnedHeap`]).
///
/// The parts of a term are built before the whole: `to_term` of a pair is
/// `heap.tuple([self.0.to_term(heap), self.1.to_term(heap)])`.
pub trait Heap: Copy {
    /// A finished term.
    type Term;

    /// Builds an atom of the program's text.
    fn atom(self, atom: &'static StaticAtom) -> Self::Term;

    /// Builds an atom that is known only at run time.
    ///
    /// # Panics
    /// On the VM's heap, if the atom was read from bytes and the VM does not have it: text from
    /// outside never adds to the VM's atom table, which is not garbage-collected.
    fn dynamic_atom(self, atom: &Atom) -> Self::Term;

    /// Builds a signed integer.
    fn integer(self, value: i64) -> Self::Term;

    /// Builds an unsigned integer.
    fn unsigned(self, value: u64) -> Self::Term;

    /// Builds an integer of any size.
    fn big_integer(self, value: &Integer) -> Self::Term;

    /// Builds a float; Erlang has neither infinities nor NaN.
    fn float(self, value: Float) -> Self::Term;

    /// Builds a binary.
    fn binary(self, bytes: &[u8]) -> Self::Term;

    /// Builds a binary of bytes that several owners may share. On the VM's heap, a large one is not
    /// copied: the binary becomes another owner.
    fn shared_binary(self, bytes: &bytes::Bytes) -> Self::Term {
        self.binary(bytes)
    }

    /// Builds a bitstring; with whole bytes it is a binary.
    fn bitstring(self, bits: &Bitstring) -> Self::Term;

    /// Builds a tuple whose size is known to the compiler.
    fn tuple<const N: usize>(self, elements: [Self::Term; N]) -> Self::Term;

    /// Builds a tuple of any size.
    ///
    /// # Panics
    /// On the VM's heap, if there are more than the 2^24 - 1 elements of an Erlang tuple.
    fn tuple_from(self, elements: Vec<Self::Term>) -> Self::Term;

    /// Builds a proper list.
    fn list<I>(self, elements: I) -> Self::Term
    where
        I: IntoIterator<Item = Self::Term, IntoIter: DoubleEndedIterator>;

    /// Builds a list that ends in `tail`. It is a proper list if `tail` is one.
    fn list_with_tail<I>(self, elements: I, tail: Self::Term) -> Self::Term
    where
        I: IntoIterator<Item = Self::Term, IntoIter: DoubleEndedIterator>;

    /// Builds a map of distinct keys. `None` stands for an optional key that is absent.
    fn map<const N: usize>(self, entries: [Option<(Self::Term, Self::Term)>; N]) -> Self::Term;

    /// Builds a map of any size. If two entries have the same key, the later one counts.
    fn map_from<I>(self, entries: I) -> Self::Term
    where
        I: IntoIterator<Item = (Self::Term, Self::Term)>;

    /// Builds a process identifier.
    fn pid(self, pid: &Pid) -> Self::Term;

    /// Builds a port identifier.
    fn port(self, port: &Port) -> Self::Term;

    /// Builds a reference.
    fn reference(self, reference: &Reference) -> Self::Term;

    /// Builds the reference to a resource.
    fn resource(self, resource: &AnyResource) -> Self::Term;

    /// Builds a fun.
    fn fun(self, fun: &Fun) -> Self::Term;

    /// Builds a saved term.
    ///
    /// # Panics
    /// On the owned heap, if the term is nested deeper than [`super::MAX_DEPTH`].
    fn saved(self, saved: &Saved) -> Self::Term;
}
