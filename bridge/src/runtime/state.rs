//! The state machine of a callback whose future runs or waits.
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
//! The numbers are those of the functions below. Only these functions decide what a callback does
//! next: `harness` finds out which event has occurred, and performs what the new state requires.
//! This file knows neither futures nor processes.

use crate::nif::Scheduler;

/// The state of a callback whose future has not completed, or the way its call of the VM ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum RunState {
    /// Its future is polled next.
    Polling,
    /// Its future waits. The tasks of its process have turns next, even if the callback yields.
    Beside {
        /// The callback yields its scheduler.
        gives_way: bool,
    },
    /// Its future was woken after the poll. The clock decides whether there is time left.
    Woken,
    /// Neither the future nor a task is runnable. The process rests, unless a wake-up arrives
    /// first.
    Resting,
    /// The call of the VM ends.
    Left(Leave),
}

/// The ways in which a call of the VM ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Leave {
    /// The callback has completed, and its outcome is the answer.
    Ended,
    /// The callback fails.
    Failed(CallbackFailure),
    /// Its process performs the only operation that it awaits.
    Alone,
    /// Its process waits for answers, or for a wake-up by a clone of its waker.
    Waits,
    /// It continues in another call.
    GoesOn {
        /// The kind of scheduler.
        on: Scheduler,
        /// Whether its process may perform, in the same step, the only operation that the callback
        /// itself awaits.
        is_waiting: bool,
    },
}

/// The reason why a callback fails without an exit of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum CallbackFailure {
    /// There is no future to poll.
    NoFuture,
    /// A task that is linked to the process has failed.
    Task,
    /// No clone of its waker is left, so it will never be woken.
    NeverWoken,
}

/// The result of a poll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Polled {
    Ready,
    /// It waits, or it yields to continue on a scheduler of this kind.
    Pending(Option<Scheduler>),
    NoFuture,
}

/// The state of the process's tasks after their turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TasksState {
    /// No task is runnable.
    Idle,
    /// Some tasks are runnable.
    Runnable,
    /// A task that is linked to the process has failed.
    Failed,
}

/// The situation of a process that is about to rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// Another thread has left mail for its tasks.
    Mail,
    /// It has one operation to perform, and waits only for this operation.
    Alone,
    /// The future was woken.
    Woken,
    /// An operation, a task or a thread will wake it.
    Awaited,
    /// No operation, task or thread can wake it.
    Nobody,
}

impl RunState {
    /// 1. A clause was called. Its future starts on a scheduler of this kind.
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
            // Tasks have turns also beside a callback that yields repeatedly.
            Polled::Pending(Some(Scheduler::Normal)) => RunState::Beside { gives_way: true },
            Polled::Pending(Some(on)) => RunState::go_on(on, false),
        }
    }

    /// 3. The tasks have had turns. A task may have requested a scheduler of another kind.
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

    /// 6. A callback is resumed that started on a scheduler of the first kind. `is_normal` says
    ///    whether this call runs on a normal scheduler.
    pub(super) fn resume(asked: Scheduler, is_normal: bool) -> Self {
        match asked {
            // Return to the kind of scheduler that the callback requested.
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
