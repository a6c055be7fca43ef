//! What calls cost: the VM is told, and the user when a call held its scheduler for long.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::protocol;
use super::registry::RunningClause;
use super::suspicion::{self, Usage};
use crate::nif::{Env, Ticks, duration_of, per_millisecond, ticks_of};
use crate::{ErlangType, Heap, ToTerm};

/// Charges the process with what it has used, in ticks; what is left to charge.
#[inline]
pub(super) fn charge(env: Env<'_>, ticks: u64) -> u32 {
    // The unit that the VM is told in; a millisecond is a whole timeslice.
    let hundredth = per_millisecond() / 100;
    let left = |ticks: u64| u32::try_from(ticks).unwrap_or(0);
    if ticks < hundredth {
        return left(ticks);
    }
    env.consume_timeslice(i32::try_from(ticks / hundredth).unwrap_or(100));
    // A timeslice that was overrun is not charged twice.
    if ticks >= 100 * hundredth {
        0
    } else {
        left(ticks % hundredth)
    }
}

/// From how many ticks on a call on a normal scheduler is told of; `u64::MAX`: never.
static WARNS_FROM: AtomicU64 = AtomicU64::new(u64::MAX);

/// When the last one was told of, and how many have not been since.
static LAST: AtomicU64 = AtomicU64::new(0);
static SUPPRESSED: AtomicU64 = AtomicU64::new(0);

/// How often calls are told of at the most.
const BETWEEN: Duration = Duration::from_secs(1);

#[inline]
pub(super) fn warns_from() -> u64 {
    WARNS_FROM.load(Ordering::Relaxed)
}

/// Tells of calls that take longer than this on a normal scheduler; of none without a limit.
pub(crate) fn set_warning(limit: Option<Duration>) {
    WARNS_FROM.store(limit.map_or(u64::MAX, ticks_of), Ordering::Relaxed);
}

/// A call that held its scheduler: `#{label, module, function, arity, message, milliseconds, suppressed}`.
pub(super) struct Report {
    clause: RunningClause,
    milliseconds: u64,
    suppressed: u64,
}

/// From here on nobody doubts that it was the callback and not the machine: no other program keeps a
/// thread waiting for so long.
const CERTAIN: Duration = Duration::from_millis(100);

/// What to tell of a call that took longer than the limit; nothing while the last one is a short time
/// ago, and nothing as long as it may have been another program that had the processor. `before` is
/// what its thread had used when it began, for callbacks under suspicion.
#[cold]
pub(super) fn report(clause: &RunningClause, ticks: u64, before: Option<Usage>) -> Option<Report> {
    match before {
        Some(before) if before.is_exceeded(duration_of(warns_from())) => {}
        Some(_) => {
            suspicion::lift(clause.clause);
            return None;
        }
        None if duration_of(ticks) >= CERTAIN || !Usage::IS_KNOWN => {}
        None => {
            suspicion::cast(clause.clause);
            return None;
        }
    }
    let (now, last) = (Ticks::now().0, LAST.load(Ordering::Relaxed));
    let is_soon = last != 0 && now.saturating_sub(last) < ticks_of(BETWEEN);
    if is_soon
        || LAST
            .compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed)
            .is_err()
    {
        SUPPRESSED.fetch_add(1, Ordering::Relaxed);
        return None;
    }
    Some(Report {
        clause: *clause,
        milliseconds: u64::try_from(duration_of(ticks).as_millis()).unwrap_or(u64::MAX),
        suppressed: SUPPRESSED.swap(0, Ordering::Relaxed),
    })
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
        let label = (protocol::helper, protocol::long_callback);
        heap.map([
            Some((protocol::label.to_term(heap), label.to_term(heap))),
            Some((protocol::module.to_term(heap), module.to_term(heap))),
            Some((protocol::function.to_term(heap), function.to_term(heap))),
            Some((protocol::arity.to_term(heap), arity.to_term(heap))),
            Some((
                protocol::message.to_term(heap),
                self.clause.clause.message.to_term(heap),
            )),
            Some((
                protocol::milliseconds.to_term(heap),
                self.milliseconds.to_term(heap),
            )),
            Some((
                protocol::suppressed.to_term(heap),
                self.suppressed.to_term(heap),
            )),
        ])
    }
}
