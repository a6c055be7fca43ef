//! The callbacks that are running or waiting, for other processes that list them (`otp_rs_status`).
//!
//! | state of a callback | where it is recorded | cost |
//! |---|---|---|
//! | runs on a normal scheduler | the slot that the watchdog reads | three stores at the start of a call |
//! | runs on a dirty scheduler | a list | a lock at the start and the end |
//! | waits | an entry that its process registers when it first awaits | a few stores for each callback that awaits |

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::slot::{MOST, SLOTS, TAKEN};
use crate::nif::{ClockTicks, ProcessWord, RawTerm, Scheduler, Thread, VmEnv, duration_of};
use crate::runtime::registry::{RunningClause, SharedClause};
use crate::{Atom, Heap, ToTerm, atom};

/// The number of lists of waiting callbacks. With several lists, reading one takes little time, and
/// few processes contend for its lock.
const LISTS: usize = 64;

static WAITING: [Mutex<Vec<Arc<Shared>>>; LISTS] = [const { Mutex::new(Vec::new()) }; LISTS];

/// The calls on dirty schedulers.
static DIRTY: Mutex<Vec<UnderWay>> = Mutex::new(Vec::new());

/// The entry of a process.
struct Shared {
    process: ProcessWord,
    clause: SharedClause,
    /// The start of the callback, in ticks.
    began: AtomicU64,
    waits: AtomicBool,
    /// The index of the entry in its list.
    index: AtomicUsize,
}

/// The entry of a process that has awaited something. It is removed from its list when this is
/// dropped.
pub(in crate::runtime) struct WaitingCallback(Arc<Shared>);

impl WaitingCallback {
    /// Creates the entry of a process without a waiting callback.
    pub(in crate::runtime) fn of(process: ProcessWord) -> Self {
        let shared = Arc::new(Shared {
            process,
            clause: SharedClause::new(),
            began: AtomicU64::new(0),
            waits: AtomicBool::new(false),
            index: AtomicUsize::new(0),
        });
        let mut list = list_of(process);
        shared.index.store(list.len(), Ordering::Relaxed);
        list.push(shared.clone());
        WaitingCallback(shared)
    }

    /// Records the start of a callback that may wait.
    pub(in crate::runtime) fn begins(&self, clause: &'static RunningClause, began: ClockTicks) {
        self.0.clause.set(clause);
        self.0.began.store(began.0, Ordering::Relaxed);
    }

    /// Returns the start of the callback that waits, or has waited last.
    #[cfg(feature = "calls")]
    pub(in crate::runtime) fn began(&self) -> ClockTicks {
        ClockTicks(self.0.began.load(Ordering::Relaxed))
    }

    /// Records the end of a call of the process: its callback waits, or has completed.
    #[inline]
    pub(in crate::runtime) fn waits(&self, waits: bool) {
        self.0.waits.store(waits, Ordering::Release);
    }
}

impl Drop for WaitingCallback {
    fn drop(&mut self) {
        let mut list = list_of(self.0.process);
        let index = self.0.index.load(Ordering::Relaxed);
        list.swap_remove(index);
        if let Some(moved) = list.get(index) {
            moved.index.store(index, Ordering::Relaxed);
        }
        // Free the memory, because the library may be unloaded.
        if list.is_empty() {
            *list = Vec::new();
        }
    }
}

fn list_of(process: ProcessWord) -> MutexGuard<'static, Vec<Arc<Shared>>> {
    // The lowest bits are the tag of a pid.
    locked(&WAITING[(process.number() >> 4) % LISTS])
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running or waiting callback.
#[derive(Clone, Copy)]
struct UnderWay {
    process: ProcessWord,
    clause: &'static RunningClause,
    began: ClockTicks,
    status: CallbackStatus,
}

/// The state of a callback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallbackStatus {
    Running,
    DirtyCpu,
    DirtyIo,
    Waiting,
}

/// Records that a clause runs on a dirty scheduler, until [`dirty_ended`].
#[cold]
pub(in crate::runtime) fn dirty(
    thread: Thread,
    began: ClockTicks,
    (process, clause): (ProcessWord, &'static RunningClause),
) {
    let is_io = thread == Thread::of(Scheduler::DirtyIo);
    locked(&DIRTY).push(UnderWay {
        process,
        clause,
        began,
        status: if is_io {
            CallbackStatus::DirtyIo
        } else {
            CallbackStatus::DirtyCpu
        },
    });
}

/// Records the end of the process's call on a dirty scheduler.
#[cold]
pub(in crate::runtime) fn dirty_ended(process: ProcessWord) {
    let mut all = locked(&DIRTY);
    all.retain(|call| call.process != process);
    if all.is_empty() {
        *all = Vec::new();
    }
}

/// Returns the running callbacks. A call that the watchdog has not seen for long has just started.
fn running(now: ClockTicks) -> Vec<UnderWay> {
    let taken = TAKEN.load(Ordering::Relaxed).min(MOST);
    let slots = SLOTS.iter().take(taken).filter_map(|slot| slot.running());
    let normal = slots.map(|(process, clause, first)| UnderWay {
        process,
        clause,
        began: first.unwrap_or(now),
        status: CallbackStatus::Running,
    });
    let mut all: Vec<_> = normal.collect();
    all.extend_from_slice(&locked(&DIRTY));
    all
}

/// Returns the waiting callbacks of a list.
fn waiting(list: &[Arc<Shared>]) -> Vec<UnderWay> {
    let waits = list
        .iter()
        .filter(|shared| shared.waits.load(Ordering::Acquire));
    let found = waits.filter_map(|shared| {
        Some(UnderWay {
            process: shared.process,
            clause: shared.clause.get()?,
            began: ClockTicks(shared.began.load(Ordering::Relaxed)),
            status: CallbackStatus::Waiting,
        })
    });
    found.collect()
}

/// Returns the callback of a process: `[{Process, Module, Callback, Milliseconds, Place}]`. A
/// running callback comes first, because the entry of its earlier wait may still be there.
pub(in crate::runtime) fn of(env: VmEnv<'_>, process: ProcessWord) -> RawTerm {
    let now = ClockTicks::now();
    let list = waiting(&list_of(process));
    let all = running(now).into_iter().chain(list);
    let own = all.filter(|it| it.process == process);
    listed(env, now, own.collect())
}

/// Returns the callbacks of all processes in parts: 0 for the running ones, then one number for
/// each list of waiting ones. `None` if there is no such list.
pub(in crate::runtime) fn all(env: VmEnv<'_>, number: usize) -> Option<RawTerm> {
    let now = ClockTicks::now();
    let all = match number.checked_sub(1) {
        None => running(now),
        Some(list) => waiting(&locked(WAITING.get(list)?)),
    };
    Some(listed(env, now, all))
}

fn listed(env: VmEnv<'_>, now: ClockTicks, all: Vec<UnderWay>) -> RawTerm {
    let heap = env.heap();
    let terms = all.iter().map(|it| {
        let time = duration_of(now.since(it.began)).as_millis();
        let milliseconds = u64::try_from(time).unwrap_or(u64::MAX);
        let callback = it.clause.with_message();
        (
            it.process.identifier(),
            it.clause.name().0,
            callback,
            milliseconds,
            it.status.atom(),
        )
            .to_term(heap)
    });
    heap.list(terms.collect::<Vec<_>>()).raw()
}

impl CallbackStatus {
    fn atom(self) -> Atom {
        match self {
            CallbackStatus::Running => atom!("running"),
            CallbackStatus::DirtyCpu => atom!("dirty_cpu"),
            CallbackStatus::DirtyIo => atom!("dirty_io"),
            CallbackStatus::Waiting => atom!("waiting"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    /// Returns the process with this number. All these processes belong to the same list.
    fn process(number: usize) -> ProcessWord {
        let word = NonZeroUsize::new(number * 16 * LISTS + 3);
        ProcessWord::of_test(word.expect("not 0"))
    }

    fn known() -> Vec<ProcessWord> {
        let mut all: Vec<_> = list_of(process(1)).iter().map(|it| it.process).collect();
        all.sort();
        all
    }

    #[test]
    fn who_has_ended_is_in_no_list_and_nothing_is_left_behind() {
        let mut all: Vec<_> = (1..=5)
            .map(|number| WaitingCallback::of(process(number)))
            .collect();
        assert_eq!(known(), (1..=5).map(process).collect::<Vec<_>>());
        for index in [1, 3, 0] {
            drop(all.remove(index));
        }
        assert_eq!(known(), [process(3), process(4)]);
        drop(all);
        assert_eq!(list_of(process(1)).capacity(), 0);
    }
}
