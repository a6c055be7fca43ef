//! The NIF call that runs a callback.
#![allow(unsafe_code)]

use crate::nif::{ClockTicks, Encoded, RawTerm, Thread, ThreadId, VmEnv, VmTerm};
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
    pub(in crate::runtime) clause: &'static RunningClause,
    /// The kind of the thread, and its number.
    pub(in crate::runtime) thread: Thread,
    pub(in crate::runtime) runs_on: ThreadId,
    /// The process's cell as a term of this call; a placeholder until the cell is known.
    state: RawTerm,
    pub(in crate::runtime) clock: CallClock<'a>,
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
        clause: &'static RunningClause,
        thread: Thread,
        clock: CallClock<'a>,
    ) -> Self {
        Frame {
            env,
            clause,
            thread,
            runs_on: ThreadId::current(),
            state: RawTerm::default(),
            clock,
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

    /// Sets the process's cell, as a term of this call.
    #[inline]
    pub(in crate::runtime) fn set_state(&mut self, state: VmTerm<'_>) {
        assert!(self.env.has(state), "a term of another environment");
        self.state = state.raw();
    }

    /// Returns the process's cell, as a term of this call.
    #[inline]
    pub(in crate::runtime) fn state_term(&self) -> VmTerm<'a> {
        // SAFETY: it was set to a term of this call. The placeholder is not read.
        unsafe { self.env.term(self.state) }
    }

    /// Returns the encoded value of the clause, which is a term of this call.
    #[inline]
    pub(in crate::runtime) fn encoded(&self, Encoded(value): Encoded) -> VmTerm<'a> {
        // SAFETY: a clause, or a poll of its future, encodes its value in the call that takes it.
        unsafe { self.env.term(value) }
    }

    /// Returns when the slice is used up.
    #[inline]
    pub(in crate::runtime) fn slice_ends(&self) -> ClockTicks {
        ClockTicks(self.clock.began().0 + slice::length(self.slice))
    }
}
