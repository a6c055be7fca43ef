//! The entries of a map of the VM.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;

use rustler::sys::{
    ErlNifEnv, ErlNifMapIterator, ErlNifMapIteratorEntry, ErlNifTerm, enif_map_iterator_create,
    enif_map_iterator_destroy, enif_map_iterator_get_pair, enif_map_iterator_next,
};

/// Iterates a map.
pub(super) struct MapEntries {
    env: *mut ErlNifEnv,
    iterator: ErlNifMapIterator,
}

impl MapEntries {
    /// `None` if the term is no map.
    ///
    /// # Safety
    /// `map` is a term of `env`; both outlive the result, which stays with this thread.
    pub(super) unsafe fn new(env: *mut ErlNifEnv, map: ErlNifTerm) -> Option<Self> {
        let mut iterator = MaybeUninit::uninit();
        let first = ErlNifMapIteratorEntry::ERL_NIF_MAP_ITERATOR_HEAD;
        // SAFETY: by the contract; the iterator is filled in where the answer is not 0. It may be
        // moved: it points to the map and to memory of the VM, and nothing points to it.
        unsafe {
            let is_map = enif_map_iterator_create(env, map, iterator.as_mut_ptr(), first);
            (is_map != 0).then(|| MapEntries {
                env,
                iterator: iterator.assume_init(),
            })
        }
    }
}

impl Iterator for MapEntries {
    type Item = (ErlNifTerm, ErlNifTerm);

    fn next(&mut self) -> Option<Self::Item> {
        let mut key = ErlNifTerm::default();
        let mut value = ErlNifTerm::default();
        // SAFETY: the iterator was created and is not destroyed before `drop`; see `new` for the
        // rest.
        unsafe {
            if enif_map_iterator_get_pair(self.env, &mut self.iterator, &mut key, &mut value) == 0 {
                return None;
            }
            enif_map_iterator_next(self.env, &mut self.iterator);
        }
        Some((key, value))
    }
}

impl Drop for MapEntries {
    fn drop(&mut self) {
        // SAFETY: created in `new`, destroyed once.
        unsafe { enif_map_iterator_destroy(self.env, &mut self.iterator) };
    }
}
