//! NIFs that resume a waiting callback, or a process's tasks.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rustler::sys::{ErlNifEnv, ErlNifTerm};

use crate::nif::{ClockTicks, Scheduler, Thread, VmEnv};
use crate::runtime::cost::call_clock::CallClock;
use crate::runtime::harness::running::Running;
use crate::runtime::protocol;
use crate::runtime::raw::cell::ProcessCell;
use crate::runtime::raw::frame::Frame;
use crate::{ToTerm, stack};

/// `resume_tasks(Cell, Answers) -> ok | {'$otp_rs', Step}`: resumes the process's tasks, if it has
/// any.
pub(super) unsafe extern "C" fn resume_tasks(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    let began = ClockTicks::now();
    // SAFETY: the VM calls with the environment of this call and two arguments.
    stack::call_keeping(move |kept| unsafe {
        let env = VmEnv::new(env);
        let Some(cell) = ProcessCell::open(env, *arguments) else {
            return env.badarg();
        };
        let thread = Thread::of(Scheduler::Normal);
        let clock = (CallClock::measuring(kept), began);
        let tasks = tasks_of(env, cell, clock, thread);
        let none = || protocol::ok.to_term(env.heap()).raw();
        tasks.map_or_else(none, |mut frame| {
            let tasks = Running::new(cell, *arguments, &mut frame);
            tasks.resume_tasks_contained(env.term(*arguments.add(1)))
        })
    })
}

/// Prepares a call for the tasks of a process that has no waiting callback.
///
/// # Safety
/// This is a call of the process that owns the cell.
unsafe fn tasks_of<'a>(
    env: VmEnv<'a>,
    cell: &ProcessCell,
    clock: (CallClock<'a>, ClockTicks),
    thread: Thread,
) -> Option<Frame<'a>> {
    // SAFETY: by the contract above; the reference to the cell's contents ends with the first call.
    unsafe {
        let waits = cell.is_busy();
        (!waits).then(|| Running::of_tasks(env, cell, clock, thread))?
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
    let began = ClockTicks::now();
    // SAFETY: by the contract above.
    stack::call_keeping(move |kept| unsafe {
        let clock = match scheduler {
            Scheduler::Normal => CallClock::measuring(kept),
            Scheduler::DirtyCpu | Scheduler::DirtyIo => CallClock::MEASURING,
        };
        resume_here(scheduler, (clock, began), env, arguments)
    })
}

/// # Safety
/// Like `resume_on`.
unsafe fn resume_here(
    scheduler: Scheduler,
    clock: (CallClock<'_>, ClockTicks),
    env: *mut ErlNifEnv,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    let thread = Thread::of(scheduler);
    // SAFETY: the VM calls with the environment of this call, which lasts until the return, and
    // two arguments.
    let (env, term, answers) = unsafe {
        let env = VmEnv::new(env);
        (env, *arguments, env.term(*arguments.add(1)))
    };
    // SAFETY: the term is an argument of this call.
    let Some(cell) = (unsafe { ProcessCell::open(env, term) }) else {
        return env.badarg();
    };
    let _held = match scheduler {
        Scheduler::Normal => None,
        // SAFETY: this is a call of the owning process.
        Scheduler::DirtyCpu | Scheduler::DirtyIo => match unsafe { cell.hold() } {
            Some(held) => held,
            None => return env.badarg(),
        },
    };
    // SAFETY: this is a call of the owning process, and the reference ends with the closure.
    let has_tasks = unsafe { cell.call() }
        .has_awaited()
        .is_some_and(|awaiting| awaiting.tasks_of.get().is_some());
    if has_tasks
        // SAFETY: this is a call of the owning process.
        && let Some(mut frame) = unsafe { tasks_of(env, cell, clock, thread) }
    {
        return Running::new(cell, term, &mut frame).resume_tasks_contained(answers);
    }
    // SAFETY: as above; the reference ends in the closure.
    let waits =
        unsafe { cell.is_busy() }.then(|| unsafe { cell.call() }.has_awaited()?.clause.get());
    let Some(clause) = waits.flatten() else {
        return env.badarg();
    };
    let mut frame = Frame::new(env, clause, thread, clock).resumed();
    let running = Running::new(cell, term, &mut frame);
    let answer = catch_unwind(AssertUnwindSafe(|| {
        running.enter();
        running.resume(answers)
    }));
    running.leave(answer.unwrap_or_else(|payload| running.panicked(payload)))
}
