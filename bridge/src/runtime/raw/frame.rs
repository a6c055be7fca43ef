//! The NIF call that runs a callback.

use std::cell::Cell;

use rustler::sys::ErlNifEnv;

use crate::nif::{ClockTicks, RawTerm, Thread, ThreadId, VmEnv};
use crate::runtime::registry::RunningClause;

/// A NIF call that runs a callback. It lies on its thread's stack.
pub(crate) struct Frame {
    pub(in crate::runtime) env: *mut ErlNifEnv,
    /// The clause that runs. Whoever needs it reads it here, because every copy of it costs a callback that does little
    /// some nanoseconds.
    pub(in crate::runtime) clause: RunningClause,
    /// The kind of the thread, and which one it is.
    pub(in crate::runtime) thread: Thread,
    pub(in crate::runtime) runs_on: ThreadId,
    /// The process's cell as a term of this call.
    pub(in crate::runtime) state: RawTerm,
    pub(in crate::runtime) began: Cell<ClockTicks>,
    /// How long the call's slice is.
    pub(in crate::runtime) slice: u64,
}

impl Frame {
    #[inline]
    pub(crate) fn new(
        env: VmEnv<'_>,
        clause: RunningClause,
        thread: Thread,
        state: RawTerm,
        (began, slice): (ClockTicks, u64),
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
    pub(in crate::runtime) fn slice_ends(&self) -> ClockTicks {
        ClockTicks(self.began.get().0 + self.slice)
    }
}
