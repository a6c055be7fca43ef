//! Limits that the application's environment sets

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::term::Reader;
use crate::{DecodeError, FromTerm, View};

static MESSAGE: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The most bytes that the Rust value of an argument of a callback may take.
#[inline]
pub(super) fn message() -> usize {
    MESSAGE.load(Ordering::Relaxed)
}

/// Reads a message.
///
/// # Errors
/// It is not an `M`, or its value takes more memory than a message may.
pub(crate) fn read_message<'a, M: FromTerm, V: View<'a>>(view: V) -> Result<M, DecodeError> {
    // It is read where the callback waits for it, and so in one go.
    Reader::within(message(), usize::MAX, |reader| M::__read(view, reader))
}

/// Sets it. `None`: no limit.
pub(super) fn set_message(bytes: Option<u64>) {
    let bytes = bytes.and_then(|bytes| usize::try_from(bytes).ok());
    MESSAGE.store(bytes.unwrap_or(usize::MAX), Ordering::Relaxed);
}

/// How many bytes of an argument's value are made on a normal scheduler, which takes a few tenths of a millisecond. A
/// longer argument is read on a dirty one.
pub(super) const READ_AT_ONCE: usize = 256 * 1024;
