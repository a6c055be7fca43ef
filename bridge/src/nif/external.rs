//! Conversions through the external format, for terms that the NIF interface cannot read or build.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;

use rustler::sys::{
    ERL_NIF_BIN2TERM_SAFE, ErlNifBinary, ErlNifEnv, ErlNifTerm, enif_binary_to_term,
    enif_release_binary, enif_term_to_binary,
};

use crate::term::{Term, etf};

/// Copies a term through its external format.
///
/// # Safety
/// `raw` is a term of `env`, or an immediate, and this thread may use `env`.
pub(super) unsafe fn to_external(env: *mut ErlNifEnv, raw: ErlNifTerm) -> Option<Term> {
    let mut binary = MaybeUninit::<ErlNifBinary>::uninit();
    // SAFETY: by the contract above. If the result is not 0, `binary` is filled in. This function
    // must release it, and does so once, after the last use of its bytes.
    unsafe {
        if enif_term_to_binary(env, raw, binary.as_mut_ptr()) == 0 {
            return None;
        }
        let mut binary = binary.assume_init();
        let term = etf::decode_from_vm(std::slice::from_raw_parts(binary.data, binary.size));
        enif_release_binary(&mut binary);
        term.ok()
    }
}

/// Reads a term from its external format; `safe` rejects atoms that the VM does not have.
///
/// # Safety
/// `env` is an environment that this thread may use.
pub(super) unsafe fn from_external(
    env: *mut ErlNifEnv,
    bytes: &[u8],
    safe: bool,
) -> Option<ErlNifTerm> {
    let options = if safe { ERL_NIF_BIN2TERM_SAFE } else { 0 };
    let mut raw = ErlNifTerm::default();
    // SAFETY: the bytes live for the call and `raw` takes its result.
    let read = unsafe { enif_binary_to_term(env, bytes.as_ptr(), bytes.len(), &mut raw, options) };
    (read != 0).then_some(raw)
}
