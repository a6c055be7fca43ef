//! Reading terms of the VM.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::num::NonZeroUsize;

use rustler::sys::{
    ErlNifBinary, ErlNifPid, ErlNifTerm, enif_get_double, enif_get_int64, enif_get_list_cell,
    enif_get_list_length, enif_get_local_pid, enif_get_map_size, enif_get_map_value,
    enif_get_tuple, enif_get_uint64, enif_inspect_binary, enif_is_atom,
};

use super::map_entries::MapEntries;
use super::{IndependentTerm, VmTerm, atom, immediate, kind};
use crate::term::types::{Atom, Bitstring, Float, Fun, Integer, Pid, Port, Reference};
use crate::term::{
    AnyResource, DecodeError, Lent, Reader, Saved, StaticAtom, Term, TermKind, View,
};

impl<'a> VmTerm<'a> {
    #[inline]
    pub(super) fn elements(self) -> Option<&'a [ErlNifTerm]> {
        let mut arity = 0;
        let mut elements = std::ptr::null();
        // SAFETY: the term belongs to the environment, see `new`. If the result is not 0,
        // `elements` are `arity` terms within the tuple, which do not change while the environment
        // lives. For `{}` the address may be null.
        unsafe {
            if enif_get_tuple(self.env(), self.raw(), &mut arity, &mut elements) == 0 {
                return None;
            }
            match usize::try_from(arity) {
                Ok(arity @ 1..) => Some(std::slice::from_raw_parts(elements, arity)),
                _ => Some(&[]),
            }
        }
    }

    pub(super) fn list_cell(self) -> Option<(Self, Self)> {
        let mut head = ErlNifTerm::default();
        let mut tail = ErlNifTerm::default();
        // SAFETY: the term belongs to the environment, see `new`. Both results are filled in if the
        // return value is not 0.
        let is_cell = unsafe { enif_get_list_cell(self.env(), self.raw(), &mut head, &mut tail) };
        (is_cell != 0).then(|| (self.part(head), self.part(tail)))
    }

    fn is_immediate_atom(self) -> bool {
        // SAFETY: the term is of the environment, see `new`.
        unsafe { enif_is_atom(self.env(), self.raw()) != 0 }
    }
}

impl<'a> View<'a> for VmTerm<'a> {
    fn kind(self) -> TermKind {
        // SAFETY: the term is of the environment, see `new`.
        unsafe { kind::of(self.env(), self.raw()) }
    }

    #[inline]
    fn identity(self) -> usize {
        // A term's word is its value or its address.
        atom::word(self.raw())
    }

    #[inline]
    fn is_atom(self, atom: &'static StaticAtom) -> bool {
        // SAFETY: the environment is valid and of this thread, see `new`.
        self.raw() == unsafe { atom::make_static(self.env(), atom) }
    }

    fn atom(self) -> Option<Atom> {
        if !self.is_immediate_atom() {
            return None;
        }
        // SAFETY: the environment is valid, see `new`, and the term an atom.
        unsafe { atom::read(self.env(), self.raw()) }
    }

    #[inline]
    fn integer(self) -> Option<i64> {
        if let Some(small) = immediate::read(self.raw()) {
            return Some(small);
        }
        let mut value = 0;
        // SAFETY: the term is of the environment, see `new`.
        let fits = unsafe { enif_get_int64(self.env(), self.raw(), &mut value) };
        (fits != 0).then_some(value)
    }

    #[inline]
    fn unsigned(self) -> Option<u64> {
        if let Some(small) = immediate::read(self.raw()) {
            return u64::try_from(small).ok();
        }
        let mut value = 0;
        // SAFETY: the term is of the environment, see `new`.
        let fits = unsafe { enif_get_uint64(self.env(), self.raw(), &mut value) };
        (fits != 0).then_some(value)
    }

    fn big_integer(self) -> Option<Integer> {
        if let Some(value) = View::integer(self) {
            return Some(Integer::from(value));
        }
        match (self.kind(), self.external()) {
            (TermKind::Integer, Some(Term::BigInteger(value))) => Some(value),
            _ => None,
        }
    }

    fn float(self) -> Option<Float> {
        let mut value = 0.0;
        // SAFETY: the term is of the environment, see `new`.
        let is_float = unsafe { enif_get_double(self.env(), self.raw(), &mut value) };
        if is_float != 0 {
            Float::new(value)
        } else {
            None
        }
    }

    fn binary(self) -> Option<&'a [u8]> {
        let mut binary = MaybeUninit::<ErlNifBinary>::uninit();
        // SAFETY: the term belongs to the environment, see `new`. If the result is not 0, the bytes
        // are those of the binary, which do not change while the environment lives. For an empty
        // binary the address may be null.
        unsafe {
            if enif_inspect_binary(self.env(), self.raw(), binary.as_mut_ptr()) == 0 {
                return None;
            }
            let binary = binary.assume_init();
            if binary.size == 0 {
                return Some(&[]);
            }
            Some(std::slice::from_raw_parts(binary.data, binary.size))
        }
    }

    fn shared_binary(self) -> Option<bytes::Bytes> {
        super::large_binary::read(self)
    }

    fn bitstring(self) -> Option<Bitstring> {
        if let Some(bytes) = View::binary(self) {
            return Some(Bitstring::from(bytes.to_vec()));
        }
        match (self.kind(), self.external()) {
            (TermKind::Bitstring, Some(Term::Bitstring(bits))) => Some(bits),
            _ => None,
        }
    }

    fn tuple_arity(self) -> Option<usize> {
        self.elements().map(<[ErlNifTerm]>::len)
    }

    #[inline]
    fn tuple<const N: usize>(self) -> Option<[Self; N]> {
        let elements: &[ErlNifTerm; N] = self.elements()?.try_into().ok()?;
        Some(elements.map(|element| self.part(element)))
    }

    fn tuple_elements(self) -> Option<impl ExactSizeIterator<Item = Self>> {
        Some(
            self.elements()?
                .iter()
                .map(move |element| self.part(*element)),
        )
    }

    fn is_empty_list(self) -> bool {
        // SAFETY: the environment is valid and of this thread, see `new`.
        self.raw() == unsafe { immediate::empty_list(self.env()) }
    }

    fn list(self) -> Option<impl ExactSizeIterator<Item = Self>> {
        let mut length = 0;
        // SAFETY: the term is of the environment, see `new`.
        let is_proper = unsafe { enif_get_list_length(self.env(), self.raw(), &mut length) };
        (is_proper != 0).then_some(ListElements {
            rest: self,
            left: length as usize,
        })
    }

    fn list_with_tail(self) -> Option<(impl Iterator<Item = Self>, Option<Self>)> {
        let mut length = 0;
        let mut end = self;
        while let Some((_, tail)) = end.list_cell() {
            length += 1;
            end = tail;
        }
        let elements = ListElements {
            rest: self,
            left: length,
        };
        match end.is_empty_list() {
            true => Some((elements, None)),
            false if length > 0 => Some((elements, Some(end))),
            false => None,
        }
    }

    fn map_size(self) -> Option<usize> {
        let mut size = 0;
        // SAFETY: the term is of the environment, see `new`.
        let is_map = unsafe { enif_get_map_size(self.env(), self.raw(), &mut size) };
        (is_map != 0).then_some(size)
    }

    fn map_get(self, key: &'static StaticAtom) -> Option<Self> {
        let mut value = ErlNifTerm::default();
        // SAFETY: the term is of the environment, see `new`, and atoms belong to every environment.
        let found = unsafe {
            let key = atom::make_static(self.env(), key);
            enif_get_map_value(self.env(), self.raw(), key, &mut value)
        };
        (found != 0).then(|| self.part(value))
    }

    fn map_entries(self) -> Option<impl Iterator<Item = (Self, Self)>> {
        // SAFETY: the term is of the environment, see `new`.
        let entries = unsafe { MapEntries::new(self.env(), self.raw()) }?;
        Some(entries.map(move |(key, value)| (self.part(key), self.part(value))))
    }

    fn pid(self) -> Option<Pid> {
        let mut pid = MaybeUninit::<ErlNifPid>::uninit();
        // SAFETY: the term belongs to the environment, see `new`. The result says that the term is
        // the word of a local process, so `pid` itself is not needed.
        let is_local = unsafe { enif_get_local_pid(self.env(), self.raw(), pid.as_mut_ptr()) };
        if is_local != 0 {
            return NonZeroUsize::new(atom::word(self.raw())).map(Pid::local);
        }
        match (self.kind(), self.external()) {
            (TermKind::Pid, Some(Term::Pid(pid))) => Some(pid),
            _ => None,
        }
    }

    fn port(self) -> Option<Port> {
        match (self.kind(), self.external()) {
            (TermKind::Port, Some(Term::Port(port))) => Some(port),
            _ => None,
        }
    }

    fn reference(self) -> Option<Reference> {
        match (self.kind(), self.external()) {
            (TermKind::Reference, Some(Term::Reference(reference))) => Some(match self.shared() {
                Some(resource) => Reference::of_resource(reference.parts().clone(), resource),
                None => reference,
            }),
            _ => None,
        }
    }

    fn resource(self) -> Option<AnyResource> {
        self.shared()
    }

    fn lent_resource(self) -> Option<Lent<'a, AnyResource>> {
        self.lent()
    }

    fn fun(self) -> Option<Fun> {
        match (self.kind(), self.external()) {
            (TermKind::Fun, Some(Term::Fun(fun))) => Some(fun),
            _ => None,
        }
    }

    fn save(self) -> Result<Saved, DecodeError> {
        Ok(Saved::foreign(IndependentTerm::copy(self)))
    }

    fn copy(self, reader: Reader<'_>) -> Result<Term, DecodeError> {
        self.copied(reader)
    }
}

/// The elements of a list of known length.
struct ListElements<'a> {
    rest: VmTerm<'a>,
    left: usize,
}

impl<'a> Iterator for ListElements<'a> {
    type Item = VmTerm<'a>;

    fn next(&mut self) -> Option<VmTerm<'a>> {
        let (head, tail) = self.rest.list_cell()?;
        self.rest = tail;
        self.left -= 1;
        Some(head)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for ListElements<'_> {}
