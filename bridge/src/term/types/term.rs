//! `term()`: owned terms, and saved ones.

use crate::term::depth::deeper;
use crate::term::{
    DecodeError, FromTerm, Heap, ImproperList, OwnedHeap, Reader, Saved, Shape, Term, ToTerm, View,
};

impl Term {
    /// Returns the term of a value.
    pub fn of<T: ToTerm + ?Sized>(value: &T) -> Term {
        value.to_term(OwnedHeap)
    }

    /// Returns the value of a term.
    ///
    /// # Errors
    /// The term is not of the type `T`.
    pub fn decode<T: FromTerm>(&self) -> Result<T, DecodeError> {
        T::from_term(self)
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Term {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        match self {
            Term::Atom(atom) => heap.dynamic_atom(atom),
            Term::Integer(value) => heap.integer(*value),
            Term::BigInteger(value) => heap.big_integer(value),
            Term::Float(value) => heap.float(*value),
            Term::Binary(bytes) => bytes.to_term(heap),
            Term::Bitstring(bits) => heap.bitstring(bits),
            Term::List(elements) => elements.to_term(heap),
            Term::ImproperList(list) => improper_list(list, heap),
            Term::Tuple(elements) => deeper(|| {
                let elements = elements.iter().map(|element| element.to_term(heap));
                heap.tuple_from(elements.collect())
            }),
            Term::Map(entries) => {
                let build = |(key, value): &(Term, Term)| (key.to_term(heap), value.to_term(heap));
                deeper(|| heap.map_from(entries.iter().map(build)))
            }
            Term::Pid(pid) => heap.pid(pid),
            Term::Port(port) => heap.port(port),
            Term::Reference(reference) => heap.reference(reference),
            Term::Fun(fun) => heap.fun(fun),
        }
    }
}

fn improper_list<H: Heap>(list: &ImproperList, heap: H) -> H::Term {
    let tail = deeper(|| list.tail().to_term(heap));
    heap.list_with_tail(
        list.elements().iter().map(|element| element.to_term(heap)),
        tail,
    )
}

#[diagnostic::do_not_recommend]
impl FromTerm for Term {
    const KIND: Shape = Shape::Any;

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        Reader::start(|reader| view.copy(reader))
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        view.copy(reader)
    }
}

impl Saved {
    /// Saves a term.
    ///
    /// # Errors
    /// It is an owned term that is nested deeper than [`crate::term::MAX_DEPTH`].
    pub fn new<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        view.save()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Saved {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.saved(self)
    }
}
