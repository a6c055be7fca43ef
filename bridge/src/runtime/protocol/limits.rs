//! Limits that the application's environment sets

use std::sync::atomic::{AtomicUsize, Ordering};

static MESSAGE: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The most bytes that the Rust value of an argument of a callback, or of a message that is
/// received, may take.
#[inline]
pub(crate) fn message() -> usize {
    MESSAGE.load(Ordering::Relaxed)
}

/// Sets it. `None`: no limit.
pub(in crate::runtime) fn set_message(bytes: Option<u64>) {
    let bytes = bytes.and_then(|bytes| usize::try_from(bytes).ok());
    MESSAGE.store(bytes.unwrap_or(usize::MAX), Ordering::Relaxed);
}

/// How many bytes of the value of an argument, or of the result of an operation, are made on a
/// normal scheduler, which takes a few tenths of a millisecond. A longer one is read on a dirty
/// one.
pub(in crate::runtime) const READ_AT_ONCE: usize = 256 * 1024;

/// How many parts of the term that a callback returns are built on a normal scheduler, which takes
/// as long.
pub(in crate::runtime) const WRITTEN_AT_ONCE: usize = 16 * 1024;
