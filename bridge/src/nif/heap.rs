//! Building terms on the VM's heap.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;

use rustler::sys::{
    ErlNifTerm, enif_make_double, enif_make_int64, enif_make_list_cell, enif_make_list_from_array,
    enif_make_map_from_arrays, enif_make_map_put, enif_make_new_binary, enif_make_new_map,
    enif_make_tuple_from_array, enif_make_uint64,
};

use super::external::from_external;
use super::{IndependentTerm, VmHeap, VmTerm, atom, immediate};
use crate::term::types::{
    Atom, AtomOrigin, Bitstring, Float, Fun, Identity, Integer, Pid, Port, Reference,
};
use crate::term::{AnyResource, Heap, Saved, StaticAtom, Term, ToTerm, etf};

/// The largest number of elements in a tuple.
const MAX_ARITY: u32 = (1 << 24) - 1;

/// The parts of a shorter list or map are collected on the stack before it is built.
const FEW: usize = 8;

impl<'a> VmHeap<'a> {
    /// Builds a term that the NIF interface cannot build, through its external format, which is
    /// slow.
    ///
    /// # Panics
    /// If an atom in the term was read from bytes and the VM does not have it.
    fn external(self, term: &Term, may_add_atoms: bool) -> VmTerm<'a> {
        // SAFETY: the environment is valid and of this thread, see `new`.
        match unsafe { from_external(self.env(), &etf::encode(term), !may_add_atoms) } {
            Some(raw) => self.term(raw),
            None => panic!("{term} was read from bytes and has atoms that do not exist in the VM"),
        }
    }
}

impl<'a> Heap for VmHeap<'a> {
    type Term = VmTerm<'a>;

    #[inline]
    fn atom(self, atom: &'static StaticAtom) -> VmTerm<'a> {
        // SAFETY: the environment is valid and of this thread, see `new`.
        self.term(unsafe { atom::make_static(self.env(), atom) })
    }

    #[inline]
    fn dynamic_atom(self, atom: &Atom) -> VmTerm<'a> {
        // SAFETY: the environment is valid and of this thread, see `new`.
        self.term(unsafe { atom::make(self.env(), atom) })
    }

    #[inline]
    fn integer(self, value: i64) -> VmTerm<'a> {
        // SAFETY: the environment is valid and of this thread, see `new`.
        let other = || unsafe { enif_make_int64(self.env(), value) };
        self.term(immediate::integer(value).unwrap_or_else(other))
    }

    #[inline]
    fn unsigned(self, value: u64) -> VmTerm<'a> {
        let small = i64::try_from(value).ok().and_then(immediate::integer);
        // SAFETY: the environment is valid and of this thread, see `new`.
        let other = || unsafe { enif_make_uint64(self.env(), value) };
        self.term(small.unwrap_or_else(other))
    }

    fn big_integer(self, value: &Integer) -> VmTerm<'a> {
        match i64::try_from(value) {
            Ok(value) => self.integer(value),
            Err(_) => self.external(&Term::BigInteger(value.clone()), true),
        }
    }

    fn float(self, value: Float) -> VmTerm<'a> {
        // SAFETY: the environment is valid and of this thread, see `new`; the value is finite, as
        // the VM demands.
        self.term(unsafe { enif_make_double(self.env(), value.value()) })
    }

    fn binary(self, bytes: &[u8]) -> VmTerm<'a> {
        let mut raw = MaybeUninit::uninit();
        // SAFETY: the environment is valid and of this thread. The VM allocates exactly these
        // bytes, which have no other reference yet, and stores their term in `raw`.
        self.term(unsafe {
            let room = enif_make_new_binary(self.env(), bytes.len(), raw.as_mut_ptr());
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), room, bytes.len());
            raw.assume_init()
        })
    }

    fn shared_binary(self, bytes: &bytes::Bytes) -> VmTerm<'a> {
        super::large_binary::write(self, bytes).unwrap_or_else(|| self.binary(bytes))
    }

    fn bitstring(self, bits: &Bitstring) -> VmTerm<'a> {
        match bits.as_bytes() {
            Some(bytes) => self.binary(bytes),
            None => self.external(&Term::Bitstring(bits.clone()), true),
        }
    }

    #[inline]
    fn tuple<const N: usize>(self, elements: [VmTerm<'a>; N]) -> VmTerm<'a> {
        let elements = elements.map(VmTerm::raw);
        // SAFETY: the environment is valid and of this thread, and the elements belong to it.
        self.term(unsafe { enif_make_tuple_from_array(self.env(), elements.as_ptr(), N as u32) })
    }

    fn tuple_from(self, elements: Vec<VmTerm<'a>>) -> VmTerm<'a> {
        let elements: Vec<ErlNifTerm> = elements.into_iter().map(VmTerm::raw).collect();
        let arity = u32::try_from(elements.len()).ok();
        let Some(arity) = arity.filter(|arity| *arity <= MAX_ARITY) else {
            panic!(
                "a tuple has at most {MAX_ARITY} elements, not {}",
                elements.len()
            )
        };
        // SAFETY: the environment is valid and of this thread, and the elements belong to it. Their
        // number fits the header of a tuple, which the VM does not check.
        self.term(unsafe { enif_make_tuple_from_array(self.env(), elements.as_ptr(), arity) })
    }

    fn list<I>(self, elements: I) -> VmTerm<'a>
    where
        I: IntoIterator<Item = VmTerm<'a>, IntoIter: DoubleEndedIterator>,
    {
        let mut elements = elements.into_iter();
        let mut few = [ErlNifTerm::default(); FEW];
        for count in 0..FEW {
            match elements.next() {
                Some(element) => few[count] = element.raw(),
                None => return self.list_of(&few[..count]),
            }
        }
        let mut all = Vec::with_capacity(FEW + elements.size_hint().0);
        all.extend_from_slice(&few);
        all.extend(elements.map(VmTerm::raw));
        self.list_of(&all)
    }

    fn list_with_tail<I>(self, elements: I, tail: VmTerm<'a>) -> VmTerm<'a>
    where
        I: IntoIterator<Item = VmTerm<'a>, IntoIter: DoubleEndedIterator>,
    {
        let cell = |tail: VmTerm<'a>, head: VmTerm<'a>| {
            // SAFETY: the environment is valid and of this thread, and both parts belong to it.
            self.term(unsafe { enif_make_list_cell(self.env(), head.raw(), tail.raw()) })
        };
        elements.into_iter().rev().fold(tail, cell)
    }

    fn map<const N: usize>(self, entries: [Option<(VmTerm<'a>, VmTerm<'a>)>; N]) -> VmTerm<'a> {
        let mut keys = [ErlNifTerm::default(); N];
        let mut values = [ErlNifTerm::default(); N];
        let mut count = 0;
        for (key, value) in entries.into_iter().flatten() {
            keys[count] = key.raw();
            values[count] = value.raw();
            count += 1;
        }
        self.map_from_arrays(&keys[..count], &values[..count])
    }

    fn map_from<I>(self, entries: I) -> VmTerm<'a>
    where
        I: IntoIterator<Item = (VmTerm<'a>, VmTerm<'a>)>,
    {
        let mut entries = entries.into_iter();
        let mut few = [[ErlNifTerm::default(); FEW]; 2];
        for count in 0..FEW {
            match entries.next() {
                Some((key, value)) => (few[0][count], few[1][count]) = (key.raw(), value.raw()),
                None => return self.map_from_arrays(&few[0][..count], &few[1][..count]),
            }
        }
        let [mut keys, mut values] = few.map(|few| {
            let mut all = Vec::with_capacity(FEW + entries.size_hint().0);
            all.extend_from_slice(&few);
            all
        });
        for (key, value) in entries {
            keys.push(key.raw());
            values.push(value.raw());
        }
        self.map_from_arrays(&keys, &values)
    }

    #[inline]
    fn pid(self, pid: &Pid) -> VmTerm<'a> {
        match pid.identity() {
            // SAFETY: the word of a local pid is an immediate, which is valid in every environment
            // of the VM.
            Identity::Local(word) => self.term(unsafe { atom::term(word.get()) }),
            Identity::External(parts) => {
                self.external(&Term::Pid(pid.clone()), is_trusted(&parts.node))
            }
        }
    }

    fn port(self, port: &Port) -> VmTerm<'a> {
        self.external(&Term::Port(port.clone()), is_trusted(&port.parts().node))
    }

    fn resource(self, resource: &AnyResource) -> VmTerm<'a> {
        // A resource that was created before the library was loaded has no memory in the VM.
        self.shared(resource)
            .unwrap_or_else(|| self.external(&Term::Reference(resource.reference()), true))
    }

    fn reference(self, reference: &Reference) -> VmTerm<'a> {
        let resource = reference.resource();
        if let Some(own) = resource.and_then(|resource| self.shared(resource)) {
            return own;
        }
        self.external(
            &Term::Reference(reference.clone()),
            is_trusted(&reference.parts().node),
        )
    }

    fn fun(self, fun: &Fun) -> VmTerm<'a> {
        let trusted = match fun {
            Fun::External(fun) => is_trusted(&fun.module) && is_trusted(&fun.function),
            // The captured values have the origin of the fun.
            Fun::Local(fun) => is_trusted(&fun.module),
        };
        self.external(&Term::Fun(fun.clone()), trusted)
    }

    fn saved(self, saved: &Saved) -> VmTerm<'a> {
        match saved.as_foreign::<IndependentTerm>() {
            Some(own) => own.copy_to(self),
            None => match saved.to_owned_term() {
                Ok(term) => term.to_term(self),
                Err(error) => panic!("{error}"),
            },
        }
    }
}

impl<'a> VmHeap<'a> {
    fn list_of(self, elements: &[ErlNifTerm]) -> VmTerm<'a> {
        // SAFETY: the environment is valid and of this thread, and the elements belong to it.
        let empty = || self.term(unsafe { immediate::empty_list(self.env()) });
        match u32::try_from(elements.len()) {
            Ok(0) => empty(),
            // SAFETY: as above.
            Ok(count) => self
                .term(unsafe { enif_make_list_from_array(self.env(), elements.as_ptr(), count) }),
            // The VM accepts no longer arrays.
            Err(_) => {
                let elements = elements.iter().map(|element| self.term(*element));
                self.list_with_tail(elements, empty())
            }
        }
    }

    fn map_from_arrays(self, keys: &[ErlNifTerm], values: &[ErlNifTerm]) -> VmTerm<'a> {
        let mut raw = MaybeUninit::uninit();
        // SAFETY: the environment is valid and of this thread, and the terms belong to it. Both
        // arrays have the given length. `raw` is filled in if the result is not 0.
        unsafe {
            let distinct = enif_make_map_from_arrays(
                self.env(),
                keys.as_ptr(),
                values.as_ptr(),
                keys.len(),
                raw.as_mut_ptr(),
            );
            if distinct != 0 {
                self.term(raw.assume_init())
            } else {
                self.map_by_putting(keys, values)
            }
        }
    }

    /// Builds a map from keys that are not distinct.
    fn map_by_putting(self, keys: &[ErlNifTerm], values: &[ErlNifTerm]) -> VmTerm<'a> {
        // SAFETY: the environment is valid and of this thread.
        let mut map = unsafe { enif_make_new_map(self.env()) };
        for (key, value) in keys.iter().zip(values) {
            let before = map;
            // SAFETY: as above; `before` is a map, so `map` is always filled in.
            unsafe { enif_make_map_put(self.env(), before, *key, *value, &mut map) };
        }
        self.term(map)
    }
}

/// Returns whether the VM may add the atom to its table.
fn is_trusted(atom: &Atom) -> bool {
    atom.origin() != AtomOrigin::Bytes
}
