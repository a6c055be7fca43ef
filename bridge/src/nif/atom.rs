//! Atoms of the VM.
#![allow(unsafe_code)]

use std::num::NonZeroUsize;

use rustler::sys::{
    ErlNifCharEncoding, ErlNifEnv, ErlNifTerm, enif_get_atom, enif_make_atom_len,
    enif_make_existing_atom_len,
};

use super::external::{from_external, to_external};
use crate::term::types::{Atom, AtomOrigin};
use crate::term::{StaticAtom, Term, etf};

/// The number of bytes of the longest Latin-1 atom, plus the zero that the VM appends.
const BUFFER: usize = 256;

#[inline]
pub(super) fn word(term: ErlNifTerm) -> usize {
    // SAFETY: `ErlNifTerm` is declared transparent over `usize`.
    unsafe { std::mem::transmute::<ErlNifTerm, usize>(term) }
}

/// Returns the term of a word.
///
/// # Safety
/// The word came from [`word`], and the term is an immediate or still lives.
#[inline]
pub(super) unsafe fn term(word: usize) -> ErlNifTerm {
    // SAFETY: `ErlNifTerm` is declared transparent over `usize`.
    unsafe { std::mem::transmute::<usize, ErlNifTerm>(word) }
}

/// Returns the term of an atom of the program's text.
///
/// # Safety
/// `env` is an environment that this thread may use.
#[inline]
pub(super) unsafe fn make_static(env: *mut ErlNifEnv, atom: &'static StaticAtom) -> ErlNifTerm {
    // SAFETY: the caller's contract is that of `make_new`. Atoms are immediates and are never
    // freed.
    unsafe { term(atom.word(|| word(make_new(env, atom.text())))) }
}

/// Returns the term of an atom that is known only at run time.
///
/// # Safety
/// `env` is an environment that this thread may use.
///
/// # Panics
/// If the atom was read from bytes and the VM does not have it.
pub(super) unsafe fn make(env: *mut ErlNifEnv, atom: &Atom) -> ErlNifTerm {
    if let Some(atom) = atom.as_static() {
        // SAFETY: the caller's contract.
        return unsafe { make_static(env, atom) };
    }
    match atom.origin() {
        // SAFETY: the word was made by `read`. Atoms are immediates and are never freed.
        AtomOrigin::Vm(word) => unsafe { term(word.get()) },
        // SAFETY: the caller's contract. Atoms are immediates and are never freed.
        AtomOrigin::Program => unsafe {
            term(atom.program_word(|| word(make_new(env, atom.text()))))
        },
        // SAFETY: the caller's contract.
        AtomOrigin::Bytes => match unsafe { find(env, atom.text()) } {
            Some(term) => term,
            None => panic!("the atom {atom} was read from bytes and does not exist in the VM"),
        },
    }
}

/// Adds an atom to the VM's table, or finds it there.
///
/// # Safety
/// `env` is an environment that this thread may use.
unsafe fn make_new(env: *mut ErlNifEnv, text: &str) -> ErlNifTerm {
    let mut buffer = [0; BUFFER];
    match latin1(text, &mut buffer) {
        // SAFETY: the characters live for the call; `StaticAtom` and `Atom` bound their number to
        // 255.
        Some(text) => unsafe { enif_make_atom_len(env, text.as_ptr().cast(), text.len()) },
        // SAFETY: the caller's contract.
        None => unsafe { from_external(env, &external(text), false) }
            .expect("every atom of at most 255 characters has a term"),
    }
}

/// Finds an atom that the VM already has.
///
/// # Safety
/// `env` is an environment that this thread may use.
unsafe fn find(env: *mut ErlNifEnv, text: &str) -> Option<ErlNifTerm> {
    let mut buffer = [0; BUFFER];
    let Some(text) = latin1(text, &mut buffer) else {
        // SAFETY: the caller's contract.
        return unsafe { from_external(env, &external(text), true) };
    };
    let mut found = ErlNifTerm::default();
    // SAFETY: the characters live for the call and `found` takes its result.
    let exists = unsafe {
        enif_make_existing_atom_len(
            env,
            text.as_ptr().cast(),
            text.len(),
            &mut found,
            ErlNifCharEncoding::ERL_NIF_LATIN1,
        )
    };
    (exists != 0).then_some(found)
}

/// Returns an owned copy of the atom, with the atom's word.
///
/// # Safety
/// `env` is an environment that this thread may use, and `atom` an atom.
pub(super) unsafe fn read(env: *mut ErlNifEnv, atom: ErlNifTerm) -> Option<Atom> {
    let mut buffer = [0_u8; BUFFER];
    // SAFETY: the buffer has the length that is passed.
    let written = unsafe {
        enif_get_atom(
            env,
            atom,
            buffer.as_mut_ptr().cast(),
            BUFFER as u32,
            ErlNifCharEncoding::ERL_NIF_LATIN1,
        )
    };
    let origin = NonZeroUsize::new(word(atom)).map_or(AtomOrigin::Program, AtomOrigin::Vm);
    let Some(length) = usize::try_from(written)
        .ok()
        .and_then(|written| written.checked_sub(1))
    else {
        // Not Latin-1.
        // SAFETY: the caller's contract.
        return match unsafe { to_external(env, atom) } {
            Some(Term::Atom(atom)) => Atom::with_origin(atom.text(), origin).ok(),
            _ => None,
        };
    };
    let characters = &buffer[..length];
    match std::str::from_utf8(characters) {
        Ok(text) if text.is_ascii() => Atom::with_origin(text, origin).ok(),
        _ => {
            let text: String = characters.iter().copied().map(char::from).collect();
            Atom::with_origin(&text, origin).ok()
        }
    }
}

/// Returns the text in Latin-1, if all its characters are in Latin-1. The NIF interface of OTP 25
/// accepts no other text.
fn latin1<'b>(text: &str, buffer: &'b mut [u8; BUFFER]) -> Option<&'b [u8]> {
    let mut length = 0;
    for character in text.chars() {
        *buffer.get_mut(length)? = u8::try_from(u32::from(character)).ok()?;
        length += 1;
    }
    Some(&buffer[..length])
}

fn external(text: &str) -> Vec<u8> {
    let atom = Atom::with_origin(text, AtomOrigin::Program)
        .expect("at most 255 characters, checked when it was made");
    etf::encode(&Term::Atom(atom))
}
