//! The cost of calls: charges it to processes in the VM, and reports calls that held a scheduler
//! for long.

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

/// Charges the process for the time that it has used, in ticks. Returns the part that could not be
/// charged yet.
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

/// The number of ticks from which a call on a normal scheduler is reported. `u64::MAX` disables the
/// report.
static WARNS_FROM: AtomicU64 = AtomicU64::new(u64::MAX);

/// The longest time that a clause may hold a normal scheduler.
const LONG: Duration = Duration::from_millis(1);

static REPORTED: OnceASecond = OnceASecond::new();

#[inline]
pub(in crate::runtime) fn warns_from() -> u64 {
    WARNS_FROM.load(Ordering::Relaxed)
}

/// Sets how long a call may take on a normal scheduler before it is reported. `None` disables the
/// report.
pub(crate) fn set_warning(limit: Option<Duration>) {
    WARNS_FROM.store(limit.map_or(u64::MAX, ticks_of), Ordering::Relaxed);
}

/// The report of a call that held its scheduler:
/// `#{label, module, function, arity, message, milliseconds, worked, waited, suppressed}`.
pub(in crate::runtime) struct Report {
    clause: RunningClause,
    milliseconds: u64,
    /// For how many of these milliseconds it had a processor, as far as the watchdog has seen;
    /// `None` if the system does not provide this.
    worked: Option<u64>,
    /// For how many of them it waited in system calls.
    waited: Option<u64>,
    suppressed: u64,
}

/// Returns the report of a call that seems to have taken longer than the limit. Returns `None`
/// shortly after another report. Also returns `None` if the watchdog has not seen the call work or
/// wait for that long, because then other threads had the processor.
#[cold]
pub(in crate::runtime) fn report(
    process: ProcessWord,
    clause: &RunningClause,
    elapsed: CallTime,
    held: Option<HoldTime>,
) -> Option<Report> {
    let ticks = match held {
        Some(held) if ticks_of(held.time()) < warns_from() => return None,
        // It may have started later than its recorded start.
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

/// Decides where the clause is called after a call on a normal scheduler that seems to have taken a
/// millisecond or more. Returns a report if the clause moves to another kind of scheduler and
/// reports are enabled.
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
    let scheduler = clause.scheduler.was_long(evidence)?;
    if warns_from() == u64::MAX {
        return None;
    }
    let missed = held
        .filter(|_| !elapsed.is_exact)
        .map_or(0, |held| held.missed);
    let time = duration_of(elapsed.ticks.saturating_sub(missed));
    if elapsed.ticks < warns_from() {
        // Otherwise the call gets a report of its own, which records it.
        long_callbacks::note(process, clause, elapsed.ticks);
    }
    Some(Moved {
        clause: *clause,
        milliseconds: u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        scheduler,
    })
}

/// The report of a clause that moves to another kind of scheduler:
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

/// Returns a report if more slow clauses run on dirty CPU schedulers than ever before, and reports
/// are enabled.
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

/// The report of how many slow clauses ran at the same time:
/// `#{label, module, function, arity, message, count}`.
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
