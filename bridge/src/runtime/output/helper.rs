//! The process of `otp_rs` (`erlang/src/otp_rs.erl`), which does what native code cannot do
//! itself. It registers itself with the library when the application starts, and when it was
//! restarted.
//!
//! The library cannot look it up by its name: on a dirty scheduler the VM allows that only with the
//! environment of the call.

use crate::nif::{ProcessSlot, ProcessWord};

static HELPER: ProcessSlot = ProcessSlot::new();

/// Returns the helper, if the application has started.
pub(in crate::runtime) fn get() -> Option<ProcessWord> {
    HELPER.get()
}

pub(in crate::runtime) fn set(process: ProcessWord) {
    if HELPER.set(process) {
        #[cfg(feature = "output")]
        super::sent::begins();
    }
}
