//! Entries that the helper process of `otp_rs` logs and prints (`erlang/src/otp_rs.erl`).

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use otp_contract::library::HelperMessage;

use super::helper;
use crate::nif::send_from_any_thread;
use crate::runtime::protocol;
use crate::runtime::registry::library::library_module;
use crate::{Atom, Term};

/// The largest number of entries that may be on their way. Threads can log faster than the helper
/// writes, and its mailbox must not fill the memory.
const MAX_PENDING: usize = 10_000;

/// The number of entries that the helper has not taken yet.
static PENDING: AtomicUsize = AtomicUsize::new(0);
static LOST: AtomicU64 = AtomicU64::new(0);

/// Sends an entry, from any thread. If too many are on their way, it is counted and dropped.
pub(super) fn send(entry: Term) {
    let (Some(helper), Some(library)) = (helper::get(), library_module()) else {
        // The application has not started.
        return;
    };
    if PENDING.fetch_add(1, Ordering::Relaxed) >= MAX_PENDING {
        let _ = taken_one();
        LOST.fetch_add(1, Ordering::Relaxed);
        return;
    }
    let word = Atom::of_program(protocol::ProtocolAtom::atom(HelperMessage::Handed));
    const { assert!(HelperMessage::Handed.elements().len() == 2) };
    send_from_any_thread(helper, &(word, library, entry));
}

fn taken_one() -> Result<usize, usize> {
    let less = |pending: usize| pending.checked_sub(1);
    PENDING.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less)
}

/// Called when there is a new helper. The entries in the mailbox of its predecessor are lost.
pub(in crate::runtime) fn begins() {
    PENDING.store(0, Ordering::Relaxed);
}

/// Called when the helper has taken an entry. Returns how many were dropped since its last call.
pub(in crate::runtime) fn taken() -> u64 {
    let _ = taken_one();
    LOST.swap(0, Ordering::Relaxed)
}
