//! The end of a clause's call with an exception, with a panic, or with a report of its cost.

#[cfg(feature = "calls")]
use std::time::Duration;

#[cfg(feature = "calls")]
use otp_contract::library::Report;

use crate::nif::{Scheduler, Thread, VmEnv, VmTerm, per_millisecond};
use crate::runtime::cost::accounting;
use crate::runtime::cost::call_clock::CallTime;
#[cfg(feature = "calls")]
use crate::runtime::cost::observer::{self, CallOutcome};
use crate::runtime::cost::slot::HoldTime;
use crate::runtime::exchange::step;
use crate::runtime::exchange::step::Step;
use crate::runtime::failure::backtraces;
use crate::runtime::failure::panics::Panic;
use crate::runtime::failure::source_location;
use crate::runtime::protocol;
#[cfg(feature = "calls")]
use crate::runtime::protocol::report;
#[cfg(feature = "calls")]
use crate::runtime::raw::frame::Frame;
use crate::runtime::registry::RunningClause;
use crate::{DecodeError, Exit, Heap, ToTerm};

/// Raises the exit of the clause.
#[cold]
pub(in crate::runtime) fn raised<'a>(
    env: VmEnv<'a>,
    clause: &RunningClause,
    actions: VmTerm<'a>,
    exit: Exit,
) -> VmTerm<'a> {
    let heap = env.heap();
    let exit = match clause.module.is_secret() {
        true => exit.without_text_of_panic(),
        false => exit,
    };
    let exit = exit.at(clause.clause.location);
    let location = source_location::of_user(exit.location(), clause);
    let frame = clause.frame(source_location::shown(location.file()), location.line());
    let stack = step::stack(heap, exit.stacktrace(), frame.to_term(heap));
    Step::raise(heap, actions, step::exception(heap, &exit), stack).answer(heap)
}

/// Raises `error(badarg)` in the called function, with the text of the error in the argument at
/// this index as its error info (EEP 54).
#[cold]
pub(in crate::runtime) fn bad_argument<'a>(
    env: VmEnv<'a>,
    clause: &RunningClause,
    arguments: VmTerm<'a>,
    (index, error): (usize, &DecodeError),
) -> VmTerm<'a> {
    let heap = env.heap();
    let position = heap.unsigned(index as u64 + 1);
    let cause = heap.map([Some((position, error.to_string().to_term(heap)))]);
    let module = (
        protocol::module_key.to_term(heap),
        heap.atom(&protocol::HELPER),
    );
    let cause = (protocol::cause.to_term(heap), cause);
    let info = heap.map([Some(module), Some(cause)]);
    let info = heap.tuple([protocol::error_info.to_term(heap), info]);
    let (module, function, _) = clause.name();
    let frame = heap.tuple([
        module.to_term(heap),
        function.to_term(heap),
        arguments,
        heap.list([info]),
    ]);
    let exception = [
        protocol::error.to_term(heap),
        protocol::badarg.to_term(heap),
    ];
    Step::raise(heap, heap.list([]), exception, heap.list([frame])).answer(heap)
}

/// Raises `error({panic, …})`, with a report if the panic has a backtrace.
#[cold]
pub(in crate::runtime) fn panicked<'a>(
    env: VmEnv<'a>,
    clause: &RunningClause,
    actions: VmTerm<'a>,
    panic: Panic,
) -> VmTerm<'a> {
    let heap = env.heap();
    let mut panic = panic.of_clause(clause);
    if clause.module.is_secret() {
        panic = panic.without_text();
    }
    let backtrace = panic.take_backtrace();
    let exception = [protocol::error.to_term(heap), panic.to_term(heap)];
    let frame = clause.frame(&panic.file, panic.line).to_term(heap);
    let stack = step::stack(heap, None, frame);
    let raise = Step::raise(heap, actions, exception, stack).answer(heap);
    match backtrace {
        None => raise,
        Some(backtrace) => {
            let number = backtraces::keep((panic.file.clone(), panic.line), backtrace);
            let report = panic.report(heap, clause, number);
            Step::tell(heap, report, raise).answer(heap)
        }
    }
}

/// Reports a call to observers. If its callback has ended and the node has `telemetry`, the answer
/// makes the process execute an event.
#[cfg(feature = "calls")]
#[cold]
pub(in crate::runtime) fn observed<'a>(
    frame: &Frame<'a>,
    ran: Duration,
    ended: Option<(CallOutcome, Duration)>,
    answer: VmTerm<'a>,
) -> VmTerm<'a> {
    observer::report(frame.clause, ran, ended);
    let (Some((_, duration)), true) = (ended, observer::has_telemetry()) else {
        return answer;
    };
    let heap = frame.env.heap();
    let (module, function, arity) = frame.clause.name();
    let report = report!(
        heap,
        Report::Callback {
            module: module,
            function: function,
            arity: arity,
            message: frame.clause.clause.message,
            nanoseconds: u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX),
        }
    );
    Step::ended(heap, report, answer).answer(heap)
}

/// Returns the answer, with reports if the call has held a normal scheduler for long. `held` is the
/// time that the watchdog has seen.
#[inline]
pub(in crate::runtime) fn accounted<'a>(
    env: VmEnv<'a>,
    clause: &RunningClause,
    (thread, is_resumed): (Thread, bool),
    elapsed: CallTime,
    held: impl FnOnce() -> Option<HoldTime>,
    answer: VmTerm<'a>,
) -> VmTerm<'a> {
    let is_normal = thread.is_normal_scheduler();
    if is_normal && elapsed.ticks < per_millisecond() {
        return answer;
    }
    if is_normal {
        was_long(env, clause, (elapsed, is_resumed), held(), answer)
    } else {
        let scheduler = clause.scheduler;
        let has_moved = scheduler.moved() == Some(Scheduler::DirtyCpu);
        scheduler.ran_dirty(elapsed.ticks);
        match has_moved.then(|| accounting::crowded(clause)).flatten() {
            None => answer,
            Some(report) => {
                let heap = env.heap();
                Step::tell(heap, report.to_term(heap), answer).answer(heap)
            }
        }
    }
}

#[cold]
fn was_long<'a>(
    env: VmEnv<'a>,
    clause: &RunningClause,
    (elapsed, is_resumed): (CallTime, bool),
    held: Option<HoldTime>,
    answer: VmTerm<'a>,
) -> VmTerm<'a> {
    let heap = env.heap();
    // A resumed callback stays on its kind of scheduler.
    let moved = (!is_resumed).then(|| accounting::moved(env.process(), clause, elapsed, held));
    let long = match elapsed.ticks < accounting::warns_from() {
        true => None,
        false => accounting::report(env.process(), clause, elapsed, held),
    };
    // The outermost report is logged first: that the call was long, and then the consequence.
    let reports = [
        moved.flatten().map(|report| report.to_term(heap)),
        long.map(|report| report.to_term(heap)),
    ];
    reports
        .into_iter()
        .flatten()
        .fold(answer, |answer, report| {
            Step::tell(heap, report, answer).answer(heap)
        })
}
