//! The kind of a term of the VM.
#![allow(unsafe_code)]

use std::ffi::c_int;

use rustler::sys::{ErlNifEnv, ErlNifTerm, ErlNifTermType as Type};

use crate::term::TermKind;

unsafe extern "C" {
    /// As in `erl_nif.h`, except for its result, which is an enum there. The VM may add members to
    /// it "at any time". rustler declares it as a Rust enum, too, but a value that a Rust enum does
    /// not list is undefined behaviour.
    fn enif_term_type(env: *mut ErlNifEnv, term: ErlNifTerm) -> c_int;
}

/// Returns the kind of a term. A kind that this library does not know counts as a reference,
/// because the contents of a reference are never read here.
///
/// # Safety
/// `term` is a term of `env`, which is valid and used by this thread only.
pub(super) unsafe fn of(env: *mut ErlNifEnv, term: ErlNifTerm) -> TermKind {
    // SAFETY: by the contract above; a C enum of these values is an `int`.
    known(unsafe { enif_term_type(env, term) }).unwrap_or(TermKind::Reference)
}

fn known(number: c_int) -> Option<TermKind> {
    const ATOM: c_int = Type::ERL_NIF_TERM_TYPE_ATOM as c_int;
    const BITSTRING: c_int = Type::ERL_NIF_TERM_TYPE_BITSTRING as c_int;
    const FLOAT: c_int = Type::ERL_NIF_TERM_TYPE_FLOAT as c_int;
    const FUN: c_int = Type::ERL_NIF_TERM_TYPE_FUN as c_int;
    const INTEGER: c_int = Type::ERL_NIF_TERM_TYPE_INTEGER as c_int;
    const LIST: c_int = Type::ERL_NIF_TERM_TYPE_LIST as c_int;
    const MAP: c_int = Type::ERL_NIF_TERM_TYPE_MAP as c_int;
    const PID: c_int = Type::ERL_NIF_TERM_TYPE_PID as c_int;
    const PORT: c_int = Type::ERL_NIF_TERM_TYPE_PORT as c_int;
    const REFERENCE: c_int = Type::ERL_NIF_TERM_TYPE_REFERENCE as c_int;
    const TUPLE: c_int = Type::ERL_NIF_TERM_TYPE_TUPLE as c_int;
    Some(match number {
        ATOM => TermKind::Atom,
        BITSTRING => TermKind::Bitstring,
        FLOAT => TermKind::Float,
        FUN => TermKind::Fun,
        INTEGER => TermKind::Integer,
        LIST => TermKind::List,
        MAP => TermKind::Map,
        PID => TermKind::Pid,
        PORT => TermKind::Port,
        REFERENCE => TermKind::Reference,
        TUPLE => TermKind::Tuple,
        _ => return None,
    })
}
