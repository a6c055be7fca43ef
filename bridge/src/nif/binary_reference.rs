//! A reference to a binary of the VM that any thread may hold.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::io::IoSlice;
use std::ptr;

use rustler::sys::{ErlNifEnv, ErlNifTerm, enif_make_list_from_array};

use super::VmTerm;

/// The fields that `erl_nif.h` documents of an `ErlNifIOVec`. The VM creates and frees it.
#[repr(C)]
struct Vector {
    count: c_int,
    size: usize,
    parts: *const IoSlice<'static>,
}

unsafe extern "C" {
    /// As in `erl_nif.h`. Without an environment, the vector owns a reference to each binary until
    /// it is freed.
    fn enif_inspect_iovec(
        env: *mut ErlNifEnv,
        most: usize,
        list: ErlNifTerm,
        tail: *mut ErlNifTerm,
        vector: *mut *mut Vector,
    ) -> c_int;

    fn enif_free_iovec(vector: *mut Vector);
}

/// A reference to a binary. The VM allocates it, and the bytes are not copied.
pub(super) struct BinaryReference(*mut Vector);

// SAFETY: the vector is only read, and the VM counts references to a binary by atomic operations.
unsafe impl Send for BinaryReference {}
// SAFETY: as above.
unsafe impl Sync for BinaryReference {}

impl BinaryReference {
    /// Creates a reference. `None` if the term is not a binary.
    pub(super) fn new(term: VmTerm<'_>) -> Option<Self> {
        let (mut tail, mut vector) = (ErlNifTerm::default(), ptr::null_mut());
        // SAFETY: the environment is valid and of this thread, see `VmTerm::new`, and the term
        // belongs to it. Both results are filled in if the return value is not 0, and `drop` frees
        // the vector.
        unsafe {
            let list = enif_make_list_from_array(term.env(), &term.raw(), 1);
            let found = enif_inspect_iovec(ptr::null_mut(), 1, list, &mut tail, &mut vector);
            (found != 0 && !vector.is_null()).then_some(BinaryReference(vector))
        }
    }
}

impl AsRef<[u8]> for BinaryReference {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: the vector lives as long as `self`, and its parts as long as the vector. The VM
        // has created it from one binary.
        unsafe {
            match (*self.0).count {
                1 => &*(*self.0).parts,
                _ => &[],
            }
        }
    }
}

impl Drop for BinaryReference {
    fn drop(&mut self) {
        // SAFETY: the VM created it for this value, and it is freed once. Any thread may do so.
        unsafe { enif_free_iovec(self.0) };
    }
}
