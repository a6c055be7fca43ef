//! The entries of a map of the VM.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;

use rustler::sys::{
    ErlNifEnv, ErlNifMapIterator, ErlNifMapIteratorEntry, ErlNifTerm, enif_map_iterator_create,
    enif_map_iterator_destroy, enif_map_iterator_get_pair, enif_map_iterator_next,
};

/// Iterates over the entries of a map.
pub(super) struct MapEntries {
    env: *mut ErlNifEnv,
    iterator: ErlNifMapIterator,
}

impl MapEntries {
    /// Creates the iterator. `None` if the term is not a map.
    ///
    /// # Safety
    /// `map` is a term of `env`. Both outlive the iterator, which stays on this thread.
    pub(super) unsafe fn new(env: *mut ErlNifEnv, map: ErlNifTerm) -> Option<Self> {
        let mut iterator = MaybeUninit::uninit();
        let first = ErlNifMapIteratorEntry::ERL_NIF_MAP_ITERATOR_HEAD;
        // SAFETY: by the contract above. The iterator is filled in if the result is not 0. It may
        // be moved: it points to the map and to memory of the VM, and there are no pointers to it.
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
        // SAFETY: the iterator was created and is destroyed only in `drop`. For the rest see `new`.
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
