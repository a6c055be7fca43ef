//! A view that counts the accesses to it.

use std::cell::Cell;

use otp_bridge::term::{AnyResource, Reader, StaticAtom, TermKind};
use otp_bridge::term::{Bitstring, DecodeError, Float, Fun, Integer, Port, Saved, View};
use otp_bridge::{Atom, FromTerm, Pid, Reference, Term};

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Reads a term as a `T`. Also returns the number of steps: each access to a part of the term is a
/// step, and each element of a list or map that is visited.
pub(crate) fn read<T: FromTerm>(term: &Term) -> (Result<T, DecodeError>, u64) {
    let before = STEPS.get();
    let read = T::from_term(Counting(term));
    (read, STEPS.get() - before)
}

#[derive(Clone, Copy)]
struct Counting<'t>(&'t Term);

impl<'t> Counting<'t> {
    fn step(self) -> &'t Term {
        STEPS.set(STEPS.get() + 1);
        self.0
    }
}

macro_rules! counted {
    ($($function:ident() -> $result:ty;)*) => {$(
        fn $function(self) -> $result {
            View::$function(self.step())
        }
    )*};
}

impl<'t> View<'t> for Counting<'t> {
    counted! {
        kind() -> TermKind;
        identity() -> usize;
        atom() -> Option<Atom>;
        integer() -> Option<i64>;
        unsigned() -> Option<u64>;
        big_integer() -> Option<Integer>;
        float() -> Option<Float>;
        binary() -> Option<&'t [u8]>;
        bitstring() -> Option<Bitstring>;
        tuple_arity() -> Option<usize>;
        is_empty_list() -> bool;
        map_size() -> Option<usize>;
        pid() -> Option<Pid>;
        port() -> Option<Port>;
        reference() -> Option<Reference>;
        resource() -> Option<AnyResource>;
        fun() -> Option<Fun>;
        save() -> Result<Saved, DecodeError>;
    }

    fn copy(self, reader: Reader<'_>) -> Result<Term, DecodeError> {
        self.step().copy(reader)
    }

    fn is_atom(self, atom: &'static StaticAtom) -> bool {
        self.step().is_atom(atom)
    }

    fn tuple<const N: usize>(self) -> Option<[Self; N]> {
        Some(self.step().tuple::<N>()?.map(Counting))
    }

    fn tuple_elements(self) -> Option<impl ExactSizeIterator<Item = Self>> {
        Some(self.step().tuple_elements()?.map(counted))
    }

    fn list(self) -> Option<impl ExactSizeIterator<Item = Self>> {
        Some(self.step().list()?.map(counted))
    }

    fn list_with_tail(self) -> Option<(impl Iterator<Item = Self>, Option<Self>)> {
        let (elements, tail) = self.step().list_with_tail()?;
        Some((elements.map(counted), tail.map(Counting)))
    }

    fn map_get(self, key: &'static StaticAtom) -> Option<Self> {
        self.step().map_get(key).map(Counting)
    }

    fn map_entries(self) -> Option<impl Iterator<Item = (Self, Self)>> {
        let entries = self.step().map_entries()?;
        Some(entries.map(|(key, value)| (counted(key), counted(value))))
    }
}

fn counted(term: &Term) -> Counting<'_> {
    Counting(Counting(term).step())
}
