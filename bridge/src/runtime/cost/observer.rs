//! Reports each call of a clause to observers (feature `calls`), such as otp-bridge-metrics.
//!
//! Without an active observer, a call from the VM reads one variable for this, and nothing without
//! the feature. With one, the clock measures each call, so that a call takes the path of measured
//! calls and is reported at its end.

use std::cell::Cell;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::runtime::registry::RunningClause;

/// How a callback has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallOutcome {
    /// It has returned a value.
    Returned,
    /// It has ended its process with an `Exit`, or a function has raised an error.
    Raised,
    /// It has panicked.
    Panicked,
    /// No clause matches the arguments.
    Refused,
}

/// A call from the VM that has run a clause, or a part of one that awaits.
///
/// The texts are from the program's source, so their number is limited.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ObservedCall {
    /// The Erlang module.
    pub module: &'static str,
    /// The Erlang name of the callback: `task` for tasks between two callbacks, and `spawned` for
    /// the body of a process without a behaviour.
    pub callback: &'static str,
    /// The number of the callback's arguments.
    pub arity: usize,
    /// The types of the clause's messages, as the source spells them.
    pub message: &'static str,
    /// Identifies the clause. Two calls have equal keys if they are of the same clause.
    pub key: [usize; 3],
    /// How long this call has held its scheduler.
    pub ran: Duration,
    /// If the callback has ended in this call: how, and how long it took from its start,
    /// including its waits.
    pub ended: Option<(CallOutcome, Duration)>,
}

impl ObservedCall {
    fn new(clause: &RunningClause, ran: Duration) -> Self {
        let addresses = [
            ptr::from_ref(clause.module).addr(),
            ptr::from_ref(clause.callback).addr(),
            ptr::from_ref(clause.clause).addr(),
        ];
        ObservedCall {
            module: clause.module.name,
            callback: clause.callback.name,
            arity: clause.callback.arity,
            message: clause.clause.message,
            key: addresses,
            ran,
            ended: None,
        }
    }
}

/// A function that gets each call of a clause while it is active: a `static` variable of a library
/// that collects them.
///
/// The function runs at the end of every call, on the thread of the scheduler. It should take
/// nanoseconds, must not block, and must not panic.
///
/// ```
/// # use otp_bridge_novm as _;
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use otp_bridge::calls::{CallObserver, ObservedCall};
///
/// static ENDED: AtomicU64 = AtomicU64::new(0);
///
/// fn count(call: &ObservedCall) {
///     ENDED.fetch_add(u64::from(call.ended.is_some()), Ordering::Relaxed);
/// }
///
/// static COUNTER: CallObserver = CallObserver::new(count);
///
/// let observation = COUNTER.start().expect("there are few observers");
/// drop(observation);                                       // the calls are no longer measured
/// ```
#[derive(Debug)]
pub struct CallObserver {
    observe: fn(&ObservedCall),
    /// The number of its observations.
    active: AtomicUsize,
}

/// The largest number of observers of a library.
const MOST: usize = 4;

static OBSERVERS: [OnceLock<&'static CallObserver>; MOST] = [const { OnceLock::new() }; MOST];

/// The number of observations of all observers, and one more for `telemetry`.
static ACTIVE: AtomicUsize = AtomicUsize::new(0);

impl CallObserver {
    /// Creates an observer that is not active yet.
    #[must_use]
    pub const fn new(observe: fn(&ObservedCall)) -> Self {
        CallObserver {
            observe,
            active: AtomicUsize::new(0),
        }
    }

    /// Activates the observer until the result is dropped. Returns `None` if the library already
    /// has four others.
    pub fn start(&'static self) -> Option<Observation> {
        let is_own =
            |place: &OnceLock<&'static CallObserver>| ptr::eq(*place.get_or_init(|| self), self);
        if !OBSERVERS.iter().any(is_own) {
            return None;
        }
        self.active.fetch_add(1, Ordering::Relaxed);
        ACTIVE.fetch_add(1, Ordering::Relaxed);
        Some(Observation(self))
    }
}

/// An observer is active as long as it has one of these.
#[derive(Debug)]
#[must_use = "the observer is active until this is dropped"]
pub struct Observation(&'static CallObserver);

impl Drop for Observation {
    fn drop(&mut self) {
        self.0.active.fetch_sub(1, Ordering::Relaxed);
        ACTIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Whether the processes of calls execute events of `telemetry`.
static HAS_TELEMETRY: AtomicBool = AtomicBool::new(false);

/// Called with whether the application `telemetry` runs.
pub(in crate::runtime) fn follow_telemetry(is_running: bool) {
    let has = cfg!(feature = "telemetry") && is_running;
    match (HAS_TELEMETRY.swap(has, Ordering::Relaxed), has) {
        (false, true) => ACTIVE.fetch_add(1, Ordering::Relaxed),
        (true, false) => ACTIVE.fetch_sub(1, Ordering::Relaxed),
        _ => 0,
    };
}

/// Returns whether the process of a call executes an event of `telemetry` at its end.
pub(in crate::runtime) fn has_telemetry() -> bool {
    HAS_TELEMETRY.load(Ordering::Relaxed)
}

/// Returns whether an observer is active.
#[inline]
pub(in crate::runtime) fn is_active() -> bool {
    ACTIVE.load(Ordering::Relaxed) > 0
}

/// The outcome of the call in a frame, as far as it is known.
pub(in crate::runtime) struct FrameOutcome(Cell<CallOutcome>);

impl FrameOutcome {
    #[inline]
    pub(in crate::runtime) fn returned() -> Self {
        FrameOutcome(Cell::new(CallOutcome::Returned))
    }

    #[inline]
    pub(in crate::runtime) fn raised(&self) {
        self.0.set(CallOutcome::Raised);
    }

    #[inline]
    pub(in crate::runtime) fn panicked(&self) {
        self.0.set(CallOutcome::Panicked);
    }

    pub(in crate::runtime) fn get(&self) -> CallOutcome {
        self.0.get()
    }
}

/// Reports a call.
#[cold]
pub(in crate::runtime) fn report(
    clause: &RunningClause,
    ran: Duration,
    ended: Option<(CallOutcome, Duration)>,
) {
    let call = ObservedCall {
        ended,
        ..ObservedCall::new(clause, ran)
    };
    let observers = OBSERVERS.iter().map_while(OnceLock::get);
    for observer in observers.filter(|it| it.active.load(Ordering::Relaxed) > 0) {
        (observer.observe)(&call);
    }
}

/// Reports a call that no clause matches.
#[cold]
pub(in crate::runtime) fn refused(clause: &RunningClause) {
    if is_active() {
        let clause = RunningClause::before_a_clause((clause.module, clause.callback));
        let ended = (CallOutcome::Refused, Duration::ZERO);
        report(&clause, Duration::ZERO, Some(ended));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::runtime::registry::library;
    use crate::runtime::registry::without_callback::clause_at;

    static SEEN: Mutex<Vec<ObservedCall>> = Mutex::new(Vec::new());

    fn note(call: &ObservedCall) {
        if call.message.contains("observer.rs") {
            SEEN.lock().expect("no test panics").push(*call);
        }
    }

    #[test]
    fn an_observer_gets_calls_while_it_is_active() {
        static OBSERVER: CallObserver = CallObserver::new(note);
        library::set(c"observed");
        let clause = clause_at(std::panic::Location::caller());
        let ended = Some((CallOutcome::Returned, Duration::from_secs(2)));
        report(clause, Duration::from_secs(1), ended);
        let [first, second] = [OBSERVER.start(), OBSERVER.start()];
        drop(first);
        assert!(is_active());
        report(clause, Duration::from_secs(1), ended);
        drop(second);
        report(clause, Duration::from_secs(1), ended);
        let seen = SEEN.lock().expect("no test panics");
        let [call] = &seen[..] else {
            panic!("{seen:?}");
        };
        assert_eq!((call.callback, call.arity), ("spawned", 1));
        assert_eq!((call.ran, call.ended), (Duration::from_secs(1), ended));
    }
}
