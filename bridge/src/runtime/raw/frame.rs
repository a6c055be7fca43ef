//! The NIF call that runs a callback.

use std::cell::Cell;

use crate::nif::{ClockTicks, RawTerm, Thread, ThreadId, VmEnv};
use crate::runtime::cost::call_clock::CallClock;
use crate::runtime::cost::observer::FrameOutcome;
use crate::runtime::cost::slice;
use crate::runtime::registry::RunningClause;

/// A NIF call that runs a callback. It is on its thread's stack, and is written once. Other code
/// reads its fields instead of copying them, because each copy would cost a short callback some
/// nanoseconds.
pub(crate) struct Frame<'a> {
    pub(in crate::runtime) env: VmEnv<'a>,
    /// The running clause.
    pub(in crate::runtime) clause: RunningClause,
    /// The kind of the thread, and its number.
    pub(in crate::runtime) thread: Thread,
    pub(in crate::runtime) runs_on: ThreadId,
    /// The process's cell as a term of this call; a placeholder until the cell is known.
    pub(in crate::runtime) state: RawTerm,
    pub(in crate::runtime) clock: CallClock<'a>,
    pub(in crate::runtime) began: Cell<ClockTicks>,
    /// The length of the call's slice.
    pub(in crate::runtime) slice: u64,
    /// Whether the call resumes work of an earlier call.
    pub(in crate::runtime) is_resumed: bool,
    pub(in crate::runtime) outcome: FrameOutcome,
}

impl<'a> Frame<'a> {
    #[inline]
    pub(crate) fn new(
        env: VmEnv<'a>,
        clause: RunningClause,
        thread: Thread,
        (clock, began): (CallClock<'a>, ClockTicks),
    ) -> Self {
        Frame {
            env,
            clause,
            thread,
            runs_on: ThreadId::current(),
            state: RawTerm::default(),
            clock,
            began: Cell::new(began),
            slice: slice::FIRST,
            is_resumed: false,
            outcome: FrameOutcome::returned(),
        }
    }

    /// Marks the frame as that of a call which resumes work of an earlier one.
    pub(crate) fn resumed(self) -> Self {
        Frame {
            is_resumed: true,
            ..self
        }
    }

    /// Returns when the slice is used up.
    #[inline]
    pub(in crate::runtime) fn slice_ends(&self) -> ClockTicks {
        ClockTicks(self.began.get().0 + slice::length(self.slice))
    }
}
