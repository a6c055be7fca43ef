//! What calls cost. The VM is told of every call, and the user of those that held a scheduler for
//! long.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use otp_contract::library::Report as LoggedReport;

use super::call_clock::CallTime;
use super::dirty_pool;
use super::long_callbacks;
use super::slot::HoldTime;
use crate::nif::{OsThread, ProcessWord, Scheduler, VmEnv, duration_of, per_millisecond, ticks_of};
use crate::runtime::protocol::at_most::OnceASecond;
use crate::runtime::protocol::report;
use crate::runtime::registry::RunningClause;
use crate::runtime::registry::clause_scheduler::Evidence;
use crate::{ErlangType, Heap, ToTerm};

/// Charges the process for what it has used, in ticks. Returns what could not be charged yet.
#[inline]
pub(in crate::runtime) fn charge(env: VmEnv<'_>, ticks: u64) -> u32 {
    // The VM counts in hundredths of a timeslice, and a timeslice is a millisecond.
    if ticks.saturating_mul(100) < per_millisecond() {
        return u32::try_from(ticks).unwrap_or(0);
    }
    charge_hundredths(env, ticks)
}

#[cold]
#[inline(never)]
fn charge_hundredths(env: VmEnv<'_>, ticks: u64) -> u32 {
    let hundredth = per_millisecond() / 100;
    env.consume_timeslice(i32::try_from(ticks / hundredth).unwrap_or(100));
    // A call that used up more than a timeslice is charged with one.
    if ticks >= 100 * hundredth {
        0
    } else {
        u32::try_from(ticks % hundredth).unwrap_or(0)
    }
}

/// The number of ticks from which a call on a normal scheduler is reported. `u64::MAX`: never.
static WARNS_FROM: AtomicU64 = AtomicU64::new(u64::MAX);

/// So long may a clause hold a normal scheduler.
const LONG: Duration = Duration::from_millis(1);

static REPORTED: OnceASecond = OnceASecond::new();

#[inline]
pub(in crate::runtime) fn warns_from() -> u64 {
    WARNS_FROM.load(Ordering::Relaxed)
}

/// Sets how long a call may take on a normal scheduler before it is reported. `None`: no report.
pub(crate) fn set_warning(limit: Option<Duration>) {
    WARNS_FROM.store(limit.map_or(u64::MAX, ticks_of), Ordering::Relaxed);
}

/// A call that held its scheduler:
/// `#{label, module, function, arity, message, milliseconds, worked, waited, suppressed}`.
pub(in crate::runtime) struct Report {
    clause: RunningClause,
    milliseconds: u64,
    /// How many of them it had a processor, as far as the watchdog has seen; `None` if the system
    /// does not say it.
    worked: Option<u64>,
    /// The same for how many it waited in system calls.
    waited: Option<u64>,
    suppressed: u64,
}

/// The report of a call that seems to have taken longer than the limit. `None` shortly after
/// another report, and `None` if the watchdog has not seen it at work, or waiting, for so long:
/// then others had the processor.
#[cold]
pub(in crate::runtime) fn report(
    process: ProcessWord,
    clause: &RunningClause,
    elapsed: CallTime,
    held: Option<HoldTime>,
) -> Option<Report> {
    let ticks = match held {
        Some(held) if ticks_of(held.time()) < warns_from() => return None,
        // It may have begun later than it seems.
        Some(held) if !elapsed.is_exact => elapsed.ticks.saturating_sub(held.missed),
        None if OsThread::IS_KNOWN || !elapsed.is_exact => return None,
        Some(_) | None => elapsed.ticks,
    };
    long_callbacks::note(process, clause, ticks);
    let suppressed = REPORTED.pass()?;
    let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    Some(Report {
        clause: *clause,
        milliseconds: milliseconds(duration_of(ticks)),
        worked: held.map(|held| milliseconds(held.worked)),
        waited: held.map(|held| milliseconds(held.waited)),
        suppressed,
    })
}

/// Where the clause is called next after a call on a normal scheduler that seems to have taken a
/// millisecond or more, if that is on another one and is reported.
#[cold]
pub(in crate::runtime) fn moved(
    process: ProcessWord,
    clause: &RunningClause,
    elapsed: CallTime,
    held: Option<HoldTime>,
) -> Option<Moved> {
    let seen = held.filter(|held| held.time() >= LONG);
    let evidence = match seen {
        Some(HoldTime { worked, waited, .. }) => Evidence::Seen { worked, waited },
        None if elapsed.is_exact => Evidence::Clock,
        None => return None,
    };
    let scheduler = (clause.clause.scheduler)().was_long(evidence)?;
    if warns_from() == u64::MAX {
        return None;
    }
    let missed = held
        .filter(|_| !elapsed.is_exact)
        .map_or(0, |held| held.missed);
    let time = duration_of(elapsed.ticks.saturating_sub(missed));
    if elapsed.ticks < warns_from() {
        // Another one is reported, and noted then.
        long_callbacks::note(process, clause, elapsed.ticks);
    }
    Some(Moved {
        clause: *clause,
        milliseconds: u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        scheduler,
    })
}

/// A clause that is called elsewhere from now on:
/// `#{label, module, function, arity, message, milliseconds, scheduler}`.
pub(in crate::runtime) struct Moved {
    clause: RunningClause,
    milliseconds: u64,
    scheduler: Scheduler,
}

impl ErlangType for Moved {
    fn erlang_type() -> String {
        "#{atom() := term()}".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Moved {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        let (module, function, arity) = self.clause.name();
        let scheduler = match self.scheduler {
            Scheduler::DirtyIo => crate::atom!("dirty_io"),
            Scheduler::Normal | Scheduler::DirtyCpu => crate::atom!("dirty_cpu"),
        };
        report!(
            heap,
            LoggedReport::Moved {
                module: module,
                function: function,
                arity: arity,
                message: self.clause.clause.message,
                milliseconds: self.milliseconds,
                scheduler: scheduler,
            }
        )
    }
}

/// More slow clauses run on dirty CPU schedulers than at any time before, if that is so and reports
/// are asked for.
pub(in crate::runtime) fn crowded(clause: &RunningClause) -> Option<Crowded> {
    if warns_from() == u64::MAX {
        return None;
    }
    let count = dirty_pool::untold()?;
    Some(Crowded {
        clause: *clause,
        count,
    })
}

/// So many slow clauses ran at once: `#{label, module, function, arity, message, count}`.
pub(in crate::runtime) struct Crowded {
    clause: RunningClause,
    count: usize,
}

impl ErlangType for Crowded {
    fn erlang_type() -> String {
        "#{atom() := term()}".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Crowded {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        let (module, function, arity) = self.clause.name();
        report!(
            heap,
            LoggedReport::Crowded {
                module: module,
                function: function,
                arity: arity,
                message: self.clause.clause.message,
                count: self.count,
            }
        )
    }
}

impl ErlangType for Report {
    fn erlang_type() -> String {
        "#{atom() := term()}".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Report {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        let (module, function, arity) = self.clause.name();
        report!(
            heap,
            LoggedReport::LongCallback {
                module: module,
                function: function,
                arity: arity,
                message: self.clause.clause.message,
                milliseconds: self.milliseconds,
                worked: self.worked,
                waited: self.waited,
                suppressed: self.suppressed,
            }
        )
    }
}
