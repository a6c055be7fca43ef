//! Building owned terms.

use super::{AnyResource, Heap, ImproperList, Saved, StaticAtom, Term, Terms};
use crate::term::types::{Atom, Binary, Bitstring, Float, Fun, Integer, Pid, Port, Reference};

/// Builds owned [`Term`]s. It does not need a VM.
#[derive(Debug, Clone, Copy, Default)]
pub struct OwnedHeap;

impl Heap for OwnedHeap {
    type Term = Term;

    fn atom(self, atom: &'static StaticAtom) -> Term {
        Term::Atom(Atom::from(atom))
    }

    fn dynamic_atom(self, atom: &Atom) -> Term {
        Term::Atom(atom.clone())
    }

    fn integer(self, value: i64) -> Term {
        Term::Integer(value)
    }

    fn unsigned(self, value: u64) -> Term {
        match i64::try_from(value) {
            Ok(value) => Term::Integer(value),
            Err(_) => Term::BigInteger(Integer::from(value)),
        }
    }

    fn big_integer(self, value: &Integer) -> Term {
        match i64::try_from(value) {
            Ok(value) => Term::Integer(value),
            Err(_) => Term::BigInteger(value.clone()),
        }
    }

    fn float(self, value: Float) -> Term {
        Term::Float(value)
    }

    fn binary(self, bytes: &[u8]) -> Term {
        Term::Binary(Binary::from(bytes))
    }

    fn shared_binary(self, bytes: &bytes::Bytes) -> Term {
        Term::Binary(Binary::from(bytes.clone()))
    }

    fn bitstring(self, bits: &Bitstring) -> Term {
        match bits.as_bytes() {
            Some(bytes) => self.binary(bytes),
            None => Term::Bitstring(bits.clone()),
        }
    }

    fn tuple<const N: usize>(self, elements: [Term; N]) -> Term {
        Term::Tuple(elements.into())
    }

    fn tuple_from(self, elements: Vec<Term>) -> Term {
        Term::Tuple(elements.into())
    }

    fn list<I>(self, elements: I) -> Term
    where
        I: IntoIterator<Item = Term, IntoIter: DoubleEndedIterator>,
    {
        Term::List(elements.into_iter().collect())
    }

    fn list_with_tail<I>(self, elements: I, tail: Term) -> Term
    where
        I: IntoIterator<Item = Term, IntoIter: DoubleEndedIterator>,
    {
        ImproperList::term(Terms::from_iter(elements), tail)
    }

    fn map<const N: usize>(self, entries: [Option<(Term, Term)>; N]) -> Term {
        Term::Map(entries.into_iter().flatten().collect())
    }

    fn map_from<I: IntoIterator<Item = (Term, Term)>>(self, entries: I) -> Term {
        Term::Map(entries.into_iter().collect())
    }

    fn pid(self, pid: &Pid) -> Term {
        Term::Pid(pid.clone())
    }

    fn port(self, port: &Port) -> Term {
        Term::Port(port.clone())
    }

    fn reference(self, reference: &Reference) -> Term {
        Term::Reference(reference.clone())
    }

    fn resource(self, resource: &AnyResource) -> Term {
        Term::Reference(resource.reference())
    }

    fn fun(self, fun: &Fun) -> Term {
        Term::Fun(fun.clone())
    }

    fn saved(self, saved: &Saved) -> Term {
        match saved.to_owned_term() {
            Ok(term) => term,
            Err(error) => panic!("{error}"),
        }
    }
}
