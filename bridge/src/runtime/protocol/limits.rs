//! Limits that the application's environment sets.

use std::sync::atomic::{AtomicUsize, Ordering};

static MESSAGE: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Returns the largest size in bytes of the Rust value of a callback's argument, or of a received
/// message.
#[inline]
pub(crate) fn message() -> usize {
    MESSAGE.load(Ordering::Relaxed)
}

/// Sets this limit. `None` removes it.
pub(in crate::runtime) fn set_message(bytes: Option<u64>) {
    let bytes = bytes.and_then(|bytes| usize::try_from(bytes).ok());
    MESSAGE.store(bytes.unwrap_or(usize::MAX), Ordering::Relaxed);
}

/// The number of bytes of an argument's value, or of an operation's result, that are decoded on a
/// normal scheduler. This takes a few tenths of a millisecond. A larger value is decoded on a dirty
/// scheduler.
pub(in crate::runtime) const READ_AT_ONCE: usize = 256 * 1024;

/// The number of parts of a callback's return value that are built on a normal scheduler. This
/// takes a similar time.
pub(in crate::runtime) const WRITTEN_AT_ONCE: usize = 16 * 1024;
