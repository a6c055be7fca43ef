//! NIFs that resume a waiting callback, or a process's tasks.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rustler::sys::{ErlNifEnv, ErlNifTerm};

use crate::nif::{Scheduler, Thread, VmEnv};
use crate::runtime::cost::call_clock::CallClock;
use crate::runtime::cost::slot::{self, Slot};
use crate::runtime::harness::running::Running;
use crate::runtime::protocol;
use crate::runtime::raw::frame::Frame;
use crate::runtime::raw::owned_cell::OwnedCell;
use crate::{ToTerm, stack};

/// `resume_tasks(Cell, Answers) -> ok | {'$otp_rs', Step}`: resumes the process's tasks, if it has
/// any.
pub(super) unsafe extern "C" fn resume_tasks(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and two arguments.
    let resume = move |slot: &Slot| unsafe {
        let env = VmEnv::new(env);
        let (term, answers) = (env.term(*arguments), env.term(*arguments.add(1)));
        let Some(cell) = OwnedCell::open(env, term) else {
            return env.badarg();
        };
        let thread = Thread::of(Scheduler::Normal);
        let clock = CallClock::measuring(slot);
        let tasks = tasks_of(env, cell, clock, thread);
        let none = || protocol::ok.to_term(env.heap()).raw();
        tasks.map_or_else(none, |mut frame| {
            let tasks = Running::new((cell, term), &mut frame, false);
            tasks.resume_tasks_contained(answers).raw()
        })
    };
    stack::call_keeping(|kept| slot::with(kept, resume))
}

/// Prepares a call for the tasks of a process that has no waiting callback.
fn tasks_of<'a>(
    env: VmEnv<'a>,
    cell: OwnedCell<'a>,
    clock: CallClock<'a>,
    thread: Thread,
) -> Option<Frame<'a>> {
    match cell.is_busy() {
        true => None,
        false => Running::of_tasks(env, cell, clock, thread),
    }
}

/// `resume(Cell, Answers) -> Return | {'$otp_rs', Step}`
pub(super) unsafe extern "C" fn resume(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and two arguments.
    unsafe { resume_on(Scheduler::Normal, env, arguments) }
}

/// `resume` on a dirty CPU scheduler.
pub(super) unsafe extern "C" fn resume_dirty_cpu(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: as in `resume`.
    unsafe { resume_on(Scheduler::DirtyCpu, env, arguments) }
}

/// `resume` on a dirty IO scheduler.
pub(super) unsafe extern "C" fn resume_dirty_io(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: as in `resume`.
    unsafe { resume_on(Scheduler::DirtyIo, env, arguments) }
}

/// # Safety
/// The VM calls on a scheduler of this kind, with the environment of this call and two arguments.
unsafe fn resume_on(
    scheduler: Scheduler,
    env: *mut ErlNifEnv,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: by the contract above.
    let resume =
        |slot: &Slot| unsafe { resume_here(scheduler, CallClock::measuring(slot), env, arguments) };
    stack::call_keeping(|kept| match scheduler {
        Scheduler::Normal => slot::with(kept, resume),
        Scheduler::DirtyCpu | Scheduler::DirtyIo => resume(&Slot::new()),
    })
}

/// # Safety
/// Like `resume_on`.
unsafe fn resume_here(
    scheduler: Scheduler,
    clock: CallClock<'_>,
    env: *mut ErlNifEnv,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    let thread = Thread::of(scheduler);
    // SAFETY: the VM calls with the environment of this call, which lasts until the return, and
    // two arguments.
    let (env, term, answers) = unsafe {
        let env = VmEnv::new(env);
        (env, env.term(*arguments), env.term(*arguments.add(1)))
    };
    let Some(cell) = OwnedCell::open(env, term) else {
        return env.badarg();
    };
    let _held = match scheduler {
        Scheduler::Normal => None,
        Scheduler::DirtyCpu | Scheduler::DirtyIo => match cell.hold() {
            Some(held) => held,
            None => return env.badarg(),
        },
    };
    let awaiting = cell.call().has_awaited();
    let has_tasks = awaiting.is_some_and(|awaiting| awaiting.tasks_of.get().is_some());
    if has_tasks && let Some(mut frame) = tasks_of(env, cell, clock, thread) {
        let tasks = Running::new((cell, term), &mut frame, false);
        return tasks.resume_tasks_contained(answers).raw();
    }
    let waiting = awaiting.filter(|_| cell.is_busy());
    let Some(clause) = waiting.and_then(|awaiting| awaiting.clause.get()) else {
        return env.badarg();
    };
    let mut frame = Frame::new(env, clause, thread, clock).resumed();
    let running = Running::new((cell, term), &mut frame, false);
    let answer = catch_unwind(AssertUnwindSafe(|| {
        running.enter(false);
        running.resume(answers)
    }));
    let answer = answer.unwrap_or_else(|payload| running.panicked(payload));
    running.leave(answer).raw()
}
