//! Terms that are single words: small integers and `[]`.
//!
//! The VM has a function for building and one for reading each of them. In a map of numbers such
//! calls took a fifth of the time. So integers are built and read without calls if the VM has
//! shown, when it loaded the library, that it represents them as expected.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rustler::sys::{ErlNifEnv, ErlNifTerm, enif_make_int64, enif_make_list_from_array};

use super::atom;

/// The number of bits of a word that mark a small integer, and their value.
const TAG_BITS: u32 = 4;
const TAG: usize = (1 << TAG_BITS) - 1;
/// The largest integer that is a word. The smallest is `-LARGEST - 1`.
const LARGEST: i64 = i64::MAX >> TAG_BITS;

/// Whether the VM represents small integers like this.
static IS_KNOWN: AtomicBool = AtomicBool::new(false);

/// The word of `[]`, or 0, which is not a term.
static EMPTY_LIST: AtomicUsize = AtomicUsize::new(0);

/// Checks how the VM represents small integers: both ends, and for each bit an integer in which
/// only that bit is set and one in which only that bit is not.
///
/// # Safety
/// `env` is an environment that this thread may use.
pub(super) unsafe fn learn(env: *mut ErlNifEnv) {
    // SAFETY: by the contract above.
    let is_so = |value| atom::word(unsafe { enif_make_int64(env, value) }) == word(value);
    let bits = i64::BITS - TAG_BITS - 1;
    let is_known = usize::BITS == i64::BITS
        && (0..bits).all(|bit| is_so(1 << bit) && is_so(!(1 << bit)))
        && [0, -1, LARGEST, -LARGEST - 1].into_iter().all(is_so);
    IS_KNOWN.store(is_known, Ordering::Relaxed);
}

/// Returns the word of a small integer.
#[inline]
const fn word(value: i64) -> usize {
    (value as usize) << TAG_BITS | TAG
}

/// Returns the term of an integer, if it is a single word.
#[inline]
pub(super) fn integer(value: i64) -> Option<ErlNifTerm> {
    let is_small = (-LARGEST - 1..=LARGEST).contains(&value);
    // SAFETY: the VM represents this integer so. It is an immediate, which is valid in every
    // environment.
    (is_small && IS_KNOWN.load(Ordering::Relaxed)).then(|| unsafe { atom::term(word(value)) })
}

/// Returns the integer of a term, if it is a single word. Each word with this tag is an integer, so
/// none of them is another term.
#[inline]
pub(super) fn read(term: ErlNifTerm) -> Option<i64> {
    let word = atom::word(term);
    let is_small = word & TAG == TAG && IS_KNOWN.load(Ordering::Relaxed);
    is_small.then_some(word as i64 >> TAG_BITS)
}

/// Returns `[]`.
///
/// # Safety
/// `env` is an environment that this thread may use.
#[inline]
pub(super) unsafe fn empty_list(env: *mut ErlNifEnv) -> ErlNifTerm {
    // Relaxed: the word is a plain value, and every thread stores the same one.
    let mut word = EMPTY_LIST.load(Ordering::Relaxed);
    if word == 0 {
        // SAFETY: by the contract above; an empty array is not read.
        word = atom::word(unsafe { enif_make_list_from_array(env, [].as_ptr(), 0) });
        EMPTY_LIST.store(word, Ordering::Relaxed);
    }
    // SAFETY: `[]` is an immediate, which is valid in every environment.
    unsafe { atom::term(word) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_small_integers_differ_from_each_other() {
        for value in [0, 1, -1, 7, -8, LARGEST, -LARGEST - 1] {
            let word = word(value);
            assert_eq!(word & TAG, TAG);
            assert_eq!(word as i64 >> TAG_BITS, value);
        }
    }

    #[test]
    fn without_a_vm_nothing_is_known() {
        assert!(integer(1).is_none());
        // SAFETY: the word is only compared.
        assert!(read(unsafe { atom::term(TAG) }).is_none());
    }
}
