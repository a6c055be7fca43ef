//! How terms are read

use super::{AnyResource, DecodeError, Reader, Saved, StaticAtom, Term};
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
    /// The kind of the term.
    fn kind(self) -> TermKind;

    /// A number that no other part of the same term has, unless it is equal.
    fn identity(self) -> usize;

    /// Whether the term is this atom.
    fn is_atom(self, atom: &'static StaticAtom) -> bool;

    /// The atom.
    fn atom(self) -> Option<Atom>;

    /// The integer, if it fits.
    fn integer(self) -> Option<i64>;

    /// The integer, if it fits.
    fn unsigned(self) -> Option<u64>;

    /// The integer of any size.
    fn big_integer(self) -> Option<Integer>;

    /// The float. `None` for an integer.
    fn float(self) -> Option<Float>;

    /// The bytes of a binary.
    fn binary(self) -> Option<&'a [u8]>;

    /// The bytes of a binary, for several owners. A large binary of the VM is not copied: they own
    /// the binary.
    fn shared_binary(self) -> Option<bytes::Bytes> {
        self.binary().map(bytes::Bytes::copy_from_slice)
    }

    /// The bits of a bitstring or binary.
    fn bitstring(self) -> Option<Bitstring>;

    /// The number of elements of a tuple.
    fn tuple_arity(self) -> Option<usize>;

    /// The elements of a tuple that has exactly `N` of them.
    fn tuple<const N: usize>(self) -> Option<[Self; N]>;

    /// The elements of a tuple of any size.
    fn tuple_elements(self) -> Option<impl ExactSizeIterator<Item = Self>>;

    /// Whether the term is `[]`.
    fn is_empty_list(self) -> bool;

    /// The elements of a proper list.
    fn list(self) -> Option<impl ExactSizeIterator<Item = Self>>;

    /// The elements of any list, and what follows the last one (`None`: the list is proper).
    fn list_with_tail(self) -> Option<(impl Iterator<Item = Self>, Option<Self>)>;

    /// The number of entries of a map.
    fn map_size(self) -> Option<usize>;

    /// The value of an atom key of a map.
    fn map_get(self, key: &'static StaticAtom) -> Option<Self>;

    /// The entries of a map, in no particular order.
    fn map_entries(self) -> Option<impl Iterator<Item = (Self, Self)>>;

    /// The process identifier.
    fn pid(self) -> Option<Pid>;

    /// The port identifier.
    fn port(self) -> Option<Port>;

    /// The reference.
    fn reference(self) -> Option<Reference>;

    /// The resource behind a reference, if it is one of this library's.
    fn resource(self) -> Option<AnyResource>;

    /// The fun.
    fn fun(self) -> Option<Fun>;

    /// Saves the term without reading it.
    ///
    /// # Errors
    /// The term must be copied and is nested deeper than [`super::MAX_DEPTH`].
    fn save(self) -> Result<Saved, DecodeError>;

    /// A copy of the term that lives outside the VM.
    ///
    /// # Errors
    /// The term is nested deeper than [`super::MAX_DEPTH`].
    fn to_owned(self) -> Result<Term, DecodeError> {
        Reader::start(|reader| self.copy(reader))
    }

    /// The same, as a part of a term that is being read.
    ///
    /// # Errors
    /// The term is nested deeper than [`super::MAX_DEPTH`], or larger than may be.
    fn copy(self, reader: Reader<'_>) -> Result<Term, DecodeError>;
}
