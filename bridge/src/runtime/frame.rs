//! The NIF call that runs a callback.

use std::cell::Cell;

use rustler::sys::ErlNifEnv;

use super::registry::RunningClause;
use crate::nif::{Env, RawTerm, Thread, ThreadId, Ticks};

/// A NIF call that runs a callback. It lies on its thread's stack.
pub(crate) struct Frame {
    pub(super) env: *mut ErlNifEnv,
    /// The clause that runs. Whoever needs it reads it here, because every copy of it costs a callback that does little
    /// some nanoseconds.
    pub(super) clause: RunningClause,
    /// The kind of the thread, and which one it is.
    pub(super) thread: Thread,
    pub(super) runs_on: ThreadId,
    /// The process's cell as a term of this call.
    pub(super) state: RawTerm,
    pub(super) began: Cell<Ticks>,
    /// How long the call's slice is.
    pub(super) slice: u64,
}

impl Frame {
    #[inline]
    pub(crate) fn new(
        env: Env<'_>,
        clause: RunningClause,
        thread: Thread,
        state: RawTerm,
        (began, slice): (Ticks, u64),
    ) -> Self {
        Frame {
            env: env.as_ptr(),
            clause,
            thread,
            runs_on: ThreadId::current(),
            state,
            began: Cell::new(began),
            slice,
        }
    }

    /// When the slice is used up.
    #[inline]
    pub(super) fn slice_ends(&self) -> Ticks {
        Ticks(self.began.get().0 + self.slice)
    }
}
