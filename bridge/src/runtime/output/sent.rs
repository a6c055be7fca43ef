//! Entries that the helper process of `otp_rs` logs and prints (`codegen/src/erlang/otp_rs.erl`).

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use otp_contract::library::HelperMessage;

use super::helper;
use crate::nif::send_from_any_thread;
use crate::runtime::protocol;
use crate::runtime::registry::library::library_module;
use crate::{Atom, Term};

/// The most entries that may be on their way. Threads can be faster than whatever writes the log,
/// and the mailbox of the helper must not fill the memory.
const MAX_PENDING: usize = 10_000;

/// Entries that the helper has not taken yet.
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

/// There is a new helper. What was sent to the one before is lost with it.
pub(in crate::runtime) fn begins() {
    PENDING.store(0, Ordering::Relaxed);
}

/// The helper has taken an entry. Returns how many have been dropped since it last asked.
pub(in crate::runtime) fn taken() -> u64 {
    let _ = taken_one();
    LOST.swap(0, Ordering::Relaxed)
}
