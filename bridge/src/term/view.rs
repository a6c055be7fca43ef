//! Reading terms.

use super::{AnyResource, DecodeError, Lent, Reader, Saved, StaticAtom, Term};
use crate::term::types::{Atom, Bitstring, Float, Fun, Integer, Pid, Port, Reference};

/// The kind of a term, which the guards `is_atom/1`, `is_list/1`, … distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TermKind {
    /// An atom
    Atom,
    /// An integer of any size
    Integer,
    /// A float
    Float,
    /// A bitstring, whole bytes or not
    Bitstring,
    /// A list: empty, proper or improper
    List,
    /// A tuple
    Tuple,
    /// A map
    Map,
    /// A process identifier
    Pid,
    /// A port identifier
    Port,
    /// A reference
    Reference,
    /// A fun
    Fun,
}

impl TermKind {
    /// How many there are.
    pub(super) const COUNT: usize = Self::ALL.len();

    /// All of them. A kind's number is its index.
    pub(super) const ALL: &'static [TermKind] = &[
        TermKind::Atom,
        TermKind::Integer,
        TermKind::Float,
        TermKind::Bitstring,
        TermKind::List,
        TermKind::Tuple,
        TermKind::Map,
        TermKind::Pid,
        TermKind::Port,
        TermKind::Reference,
        TermKind::Fun,
    ];
}

/// A term that is read: the VM's or an owned one (`&Term`).
///
/// Each accessor returns `None` if the term is of another kind. Nothing here creates atoms.
pub trait View<'a>: Copy + 'a {
    /// Returns the kind of the term.
    fn kind(self) -> TermKind;

    /// Returns a number that identifies this part of the term. Only equal parts may have the same
    /// number.
    fn identity(self) -> usize;

    /// Returns whether the term is this atom.
    fn is_atom(self, atom: &'static StaticAtom) -> bool;

    /// Returns the atom.
    fn atom(self) -> Option<Atom>;

    /// Returns the integer, if it fits.
    fn integer(self) -> Option<i64>;

    /// Returns the integer, if it fits.
    fn unsigned(self) -> Option<u64>;

    /// Returns the integer of any size.
    fn big_integer(self) -> Option<Integer>;

    /// Returns the float. `None` for an integer.
    fn float(self) -> Option<Float>;

    /// Returns the bytes of a binary.
    fn binary(self) -> Option<&'a [u8]>;

    /// Returns the bytes of a binary, for several owners. A large binary of the VM is not copied:
    /// the result owns the binary.
    fn shared_binary(self) -> Option<bytes::Bytes> {
        self.binary().map(bytes::Bytes::copy_from_slice)
    }

    /// Returns the bits of a bitstring or binary.
    fn bitstring(self) -> Option<Bitstring>;

    /// Returns the number of elements of a tuple.
    fn tuple_arity(self) -> Option<usize>;

    /// Returns the elements of a tuple that has exactly `N` of them.
    fn tuple<const N: usize>(self) -> Option<[Self; N]>;

    /// Returns the elements of a tuple of any size.
    fn tuple_elements(self) -> Option<impl ExactSizeIterator<Item = Self>>;

    /// Returns whether the term is `[]`.
    fn is_empty_list(self) -> bool;

    /// Returns the elements of a proper list.
    fn list(self) -> Option<impl ExactSizeIterator<Item = Self>>;

    /// Returns the elements of any list, and the term after the last one (`None` if the list is
    /// proper).
    fn list_with_tail(self) -> Option<(impl Iterator<Item = Self>, Option<Self>)>;

    /// Returns the number of entries of a map.
    fn map_size(self) -> Option<usize>;

    /// Returns the value of an atom key of a map.
    fn map_get(self, key: &'static StaticAtom) -> Option<Self>;

    /// Returns the entries of a map, in no particular order.
    fn map_entries(self) -> Option<impl Iterator<Item = (Self, Self)>>;

    /// Returns the process identifier.
    fn pid(self) -> Option<Pid>;

    /// Returns the port identifier.
    fn port(self) -> Option<Port>;

    /// Returns the reference.
    fn reference(self) -> Option<Reference>;

    /// Returns the resource behind a reference, if it belongs to this library.
    fn resource(self) -> Option<AnyResource>;

    /// Like [`View::resource`], for a call that uses the resource only while the term lives.
    #[doc(hidden)]
    fn lent_resource(self) -> Option<Lent<'a, AnyResource>> {
        self.resource().map(Lent::new)
    }

    /// Returns the fun.
    fn fun(self) -> Option<Fun>;

    /// Saves the term without reading it.
    ///
    /// # Errors
    /// The term must be copied and is nested deeper than [`super::MAX_DEPTH`].
    fn save(self) -> Result<Saved, DecodeError>;

    /// Returns a copy of the term that lives outside the VM.
    ///
    /// # Errors
    /// The term is nested deeper than [`super::MAX_DEPTH`].
    fn to_owned(self) -> Result<Term, DecodeError> {
        Reader::start(|reader| self.copy(reader))
    }

    /// Copies the term, as a part of a term that is being read.
    ///
    /// # Errors
    /// The term is nested deeper than [`super::MAX_DEPTH`], or larger than the limit.
    fn copy(self, reader: Reader<'_>) -> Result<Term, DecodeError>;
}
