//! The states of a callback whose future runs or waits, and how one follows from another.
//!
//! ```text
//!            ┌──────────── 6 resume ───────────────────────────────────┐
//!            ▼                                                         │
//! 1 call ─▶ Polling ── 2 after_poll ─▶ Beside ── 3 after_tasks ─▶ Left(GoesOn)
//!            │ ▲                        │                              ▲
//!            │ │                        ├─▶ Woken ──── 4 after_clock ──┤
//!            │ └────────────────────────│────────────────┘             │
//!            │ ▲                        ▼                              │
//!            │ └── 5 after_rest ───── Resting ───────── 5 after_rest ──┤
//!            │                                                         ▼
//!            └─────────────────────────────────────────▶ Left(Alone | Waits | Failed | Ended)
//! ```
//!
//! The numbers are those of the functions below. Nothing else decides what a callback does next:
//! `harness` finds out what the events are, and does what a state says. This file knows neither
//! futures nor processes.

use crate::nif::Scheduler;

/// Where a callback is whose future has not ended, or how its call of the VM ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum RunState {
    /// Its future is polled next.
    Polling,
    /// Its future waits. The tasks of its process have turns next, also if the callback gives way.
    Beside {
        /// The callback gives its scheduler back.
        gives_way: bool,
    },
    /// Its future was woken meanwhile. Whether there is time left says the clock.
    Woken,
    /// Nothing can go on: its process rests, if nobody has woken it meanwhile.
    Resting,
    /// The call of the VM ends.
    Left(Leave),
}

/// How a call of the VM ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Leave {
    /// The callback has ended, and its outcome is the answer.
    Ended,
    /// It fails.
    Failed(CallbackFailure),
    /// Its process performs the only operation that it awaits.
    Alone,
    /// Its process waits for answers, or for whoever holds a waker.
    Waits,
    /// It goes on in another call.
    GoesOn {
        /// The kind of scheduler.
        on: Scheduler,
        /// Whether its process may perform in the same step what the callback alone waits for.
        is_waiting: bool,
    },
}

/// Why a callback fails that has not said so itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum CallbackFailure {
    /// There is no future to be polled.
    NoFuture,
    /// A task has failed whose failure is the process's.
    Task,
    /// Nobody will wake it.
    NeverWoken,
}

/// What a poll has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Polled {
    Ready,
    /// It waits, or gives way so that it goes on on a scheduler of this kind.
    Pending(Option<Scheduler>),
    NoFuture,
}

/// How the tasks of the process are after their turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TasksState {
    /// None of them can go on.
    Idle,
    /// Some can.
    Runnable,
    /// One has failed whose failure is the process's.
    Failed,
}

/// What a process finds that is about to rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// Another thread has something for its tasks.
    Mail,
    /// It has one operation to perform and nothing else to wait for.
    Alone,
    /// The future was woken meanwhile.
    Woken,
    /// An operation, a task or a thread will wake it.
    Awaited,
    /// Nobody will.
    Nobody,
}

impl RunState {
    /// 1. A clause was called, and has a future that begins on a scheduler of this kind.
    pub(super) fn call(on: Scheduler) -> Self {
        match on {
            Scheduler::Normal => RunState::Polling,
            Scheduler::DirtyCpu | Scheduler::DirtyIo => RunState::go_on(on, false),
        }
    }

    /// 2. The future was polled.
    pub(super) fn after_poll(polled: Polled) -> Self {
        match polled {
            Polled::Ready => RunState::Left(Leave::Ended),
            Polled::NoFuture => RunState::Left(Leave::Failed(CallbackFailure::NoFuture)),
            Polled::Pending(None) => RunState::Beside { gives_way: false },
            // Tasks have turns also beside a callback that gives way again and again.
            Polled::Pending(Some(Scheduler::Normal)) => RunState::Beside { gives_way: true },
            Polled::Pending(Some(on)) => RunState::go_on(on, false),
        }
    }

    /// 3. The tasks have had turns. One may ask for a scheduler of another kind.
    pub(super) fn after_tasks(
        gives_way: bool,
        tasks: TasksState,
        asked: Option<Scheduler>,
        is_woken: bool,
    ) -> Self {
        match (tasks, asked) {
            (TasksState::Failed, _) => RunState::Left(Leave::Failed(CallbackFailure::Task)),
            (_, Some(on)) => RunState::go_on(on, !gives_way),
            (_, None) if gives_way => RunState::go_on(Scheduler::Normal, false),
            (TasksState::Runnable, None) => RunState::go_on(Scheduler::Normal, !is_woken),
            (TasksState::Idle, None) if is_woken => RunState::Woken,
            (TasksState::Idle, None) => RunState::Resting,
        }
    }

    /// 4. The future was woken, and the clock was read.
    pub(super) fn after_clock(is_slice_over: bool) -> Self {
        if is_slice_over {
            RunState::go_on(Scheduler::Normal, false)
        } else {
            RunState::Polling
        }
    }

    /// 5. The process was about to rest.
    pub(super) fn after_rest(found: Rest) -> Self {
        match found {
            Rest::Mail => RunState::go_on(Scheduler::Normal, true),
            Rest::Alone => RunState::Left(Leave::Alone),
            Rest::Woken => RunState::Polling,
            Rest::Awaited => RunState::Left(Leave::Waits),
            Rest::Nobody => RunState::Left(Leave::Failed(CallbackFailure::NeverWoken)),
        }
    }

    /// 6. A callback comes back that had begun on a scheduler of the first kind, in a call on a
    ///    normal one or not.
    pub(super) fn resume(asked: Scheduler, is_normal: bool) -> Self {
        match asked {
            // It goes back to the kind of scheduler that it asked for.
            Scheduler::DirtyCpu | Scheduler::DirtyIo if is_normal => RunState::go_on(asked, false),
            _ => RunState::Polling,
        }
    }

    fn go_on(on: Scheduler, is_waiting: bool) -> Self {
        RunState::Left(Leave::GoesOn { on, is_waiting })
    }
}

#[cfg(test)]
mod tests;
