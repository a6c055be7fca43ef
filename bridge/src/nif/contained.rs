//! Containing panics of the user's destructors.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs code whose panics cannot be reported. Such a panic is dropped.
pub(crate) fn contained(body: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(body)) {
        discard(payload);
    }
}

/// Drops the payload of a panic. The payload's destructor is user code. It may panic again, which
/// must not unwind into the VM; the second payload is leaked, since its destructor may panic, too.
pub(crate) fn discard(payload: Box<dyn Any + Send>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(again);
    }
}
