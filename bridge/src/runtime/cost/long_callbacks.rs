//! Remembers callbacks that have held a normal scheduler for long, for each process, for
//! `otp_rs_status`. `accounting` records only calls that are reported or whose report is
//! suppressed.

use std::cmp::Reverse;
use std::sync::{Mutex, PoisonError};

use crate::nif::{ClockTicks, ProcessWord, RawTerm, Scheduler, VmEnv, duration_of};
use crate::runtime::registry::RunningClause;
use crate::{Heap, ToTerm};

/// The largest number of clauses that are remembered, counted per process.
const MOST: usize = 128;

/// The long calls of a clause in a process.
#[derive(Clone, Copy)]
struct Long<K> {
    of: K,
    times: u64,
    /// The longest call, in ticks.
    longest: u64,
    /// When the last one ended.
    last: ClockTicks,
}

struct Remembered<K>([Option<Long<K>>; MOST]);

/// They are in a static array, so that no memory is leaked when the library is unloaded.
static ALL: Mutex<Remembered<(ProcessWord, RunningClause)>> = Mutex::new(Remembered([None; MOST]));

impl<K: Copy + PartialEq> Remembered<K> {
    /// Adds a call. If all entries are in use, it replaces the clause whose last long call is the
    /// oldest.
    fn note(&mut self, of: K, ticks: u64, now: ClockTicks) {
        let Remembered(all) = self;
        if let Some(long) = all.iter_mut().flatten().find(|long| long.of == of) {
            long.times += 1;
            long.longest = long.longest.max(ticks);
            long.last = now;
            return;
        }
        // `None`, a free entry, is the smallest.
        let oldest = all.iter_mut().min_by_key(|it| it.map(|long| long.last));
        if let Some(place) = oldest {
            *place = Some(Long {
                of,
                times: 1,
                longest: ticks,
                last: now,
            });
        }
    }

    /// Returns the matching entries, the longest first.
    fn found(&self, is_asked_for: impl Fn(&K) -> bool) -> Vec<Long<K>> {
        let all = self.0.iter().flatten();
        let mut found: Vec<Long<K>> = all.filter(|long| is_asked_for(&long.of)).copied().collect();
        found.sort_by_key(|long| Reverse(long.longest));
        found
    }
}

/// Records a call of the clause that held a normal scheduler for this many ticks.
#[cold]
pub(in crate::runtime) fn note(process: ProcessWord, clause: &RunningClause, ticks: u64) {
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    all.note((process, *clause), ticks, ClockTicks::now());
}

/// Returns `[{Callback, Milliseconds, Times}]`: the longest call of each clause of the process, and
/// the number of its long calls.
pub(in crate::runtime) fn of(env: VmEnv<'_>, process: ProcessWord) -> RawTerm {
    let all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    let found = all.found(|(of, _)| *of == process);
    drop(all);
    let heap = env.heap();
    let terms = found.iter().map(|long| {
        let milliseconds = duration_of(long.longest).as_millis();
        let milliseconds = u64::try_from(milliseconds).unwrap_or(u64::MAX);
        (shown(&long.of.1), milliseconds, long.times).to_term(heap)
    });
    let terms: Vec<_> = terms.collect();
    heap.list(terms).raw()
}

/// Returns `counter:handle_call/3 of Add`, and the kind of scheduler that the clause has moved to,
/// if it has.
fn shown(clause: &RunningClause) -> String {
    let name = clause.with_message();
    match clause.scheduler.moved() {
        Some(Scheduler::DirtyIo) => format!("{name} (now on a dirty IO scheduler)"),
        Some(_) => format!("{name} (now on a dirty CPU scheduler)"),
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_call_counts_and_the_oldest_clause_is_forgotten() {
        let mut all = Remembered([None; MOST]);
        for (now, ticks) in [5, 9, 7].into_iter().enumerate() {
            all.note("first", ticks, ClockTicks(now as u64));
        }
        all.note("second", 8, ClockTicks(3));
        let figures = |all: &Remembered<&'static str>| {
            let found = all.found(|of| *of == "first" || *of == "second");
            let of = found.iter().map(|it| (it.of, it.times, it.longest));
            of.collect::<Vec<_>>()
        };
        assert_eq!(figures(&all), [("first", 3, 9), ("second", 1, 8)]);
        let other = |all: &mut Remembered<&'static str>, now: u64| {
            let name: &'static str = Box::leak(format!("other {now}").into_boxed_str());
            all.note(name, 1, ClockTicks(now));
        };
        (4..MOST as u64 + 2).for_each(|now| other(&mut all, now));
        assert_eq!(figures(&all).len(), 2, "there is place for all");
        other(&mut all, 1_000);
        assert_eq!(figures(&all), [("second", 1, 8)]);
    }
}
