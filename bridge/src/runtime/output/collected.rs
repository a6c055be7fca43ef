//! Log entries and printed texts of native code, on their way to `logger` and to group leaders.
//!
//! The entries of a callback on a normal scheduler are collected, and its own process handles them
//! as soon as the callback returns or waits (`{output, …}`, a step). So they have the metadata, the
//! group leader and the order of that process, and `logger` slows it down where it would slow down
//! Erlang code. Entries of other code are sent to the helper process at once, and so are those of a
//! callback on a dirty scheduler, which may not return for long.

use std::cell::{Cell, RefCell};

use super::entry::{self, LogEvent, entry_of_text};
#[cfg(all(feature = "tokio", feature = "tracing"))]
use super::inherited::InheritedSpans;
use super::sent;
use otp_contract::library::Step as StepShape;

use crate::nif::{ProcessWord, Thread, VmEnv, VmTerm};
use crate::runtime::protocol;
use crate::runtime::protocol::shape;
use crate::runtime::registry::RunningClause;
use crate::{Heap, Term, ToTerm};

/// The owner of the code that a thread runs.
#[derive(Clone, Copy)]
enum Origin {
    /// Unknown: a thread that does not belong to the VM, or one of the VM between calls.
    Unknown,
    /// A callback on a normal scheduler.
    Callback(&'static RunningClause),
    /// A callback on a dirty scheduler.
    DirtyCallback(ProcessWord, &'static RunningClause),
    /// A task of the process, or a destructor of values that it has left behind.
    Of(ProcessWord),
}

/// The largest number of entries that are collected in one call.
const MAX_COLLECTED: usize = 10_000;

struct Collected {
    entries: Vec<Term>,
    /// The number of entries beyond that.
    lost: u64,
}

/// The variables that every call reads. They have no destructor and are in one thread-local
/// variable, because each access to such a variable takes a nanosecond.
struct OnThread {
    origin: Cell<Origin>,
    /// Whether the running callback has sent entries to the helper.
    is_behind: Cell<bool>,
    /// Whether it has logged or printed anything.
    has_output: Cell<bool>,
}

thread_local! {
    static ON_THREAD: OnThread = const {
        OnThread {
            origin: Cell::new(Origin::Unknown),
            is_behind: Cell::new(false),
            has_output: Cell::new(false),
        }
    };
    static COLLECTED: RefCell<Collected> =
        const { RefCell::new(Collected { entries: Vec::new(), lost: 0 }) };
}

/// Marks the start of a callback on this thread.
#[inline]
pub(in crate::runtime) fn enter(
    process: ProcessWord,
    clause: &'static RunningClause,
    thread: Thread,
) {
    let origin = if thread.is_normal_scheduler() {
        Origin::Callback(clause)
    } else {
        Origin::DirtyCallback(process, clause)
    };
    ON_THREAD.with(|it| it.origin.set(origin));
}

/// Called when the callback has returned or waits. Adds the entries that it has logged and printed
/// to its answer to the VM.
#[inline]
pub(in crate::runtime) fn leave<'a>(env: VmEnv<'a>, answer: VmTerm<'a>) -> VmTerm<'a> {
    let has_output = ON_THREAD.with(|it| {
        it.origin.set(Origin::Unknown);
        it.has_output.get()
    });
    if has_output {
        with_output(env, answer)
    } else {
        answer
    }
}

#[cold]
fn with_output<'a>(env: VmEnv<'a>, answer: VmTerm<'a>) -> VmTerm<'a> {
    let is_behind = ON_THREAD.with(|it| {
        it.has_output.set(false);
        it.is_behind.take()
    });
    let heap = env.heap();
    let empty = Collected {
        entries: Vec::new(),
        lost: 0,
    };
    let Collected { entries, lost } = COLLECTED.replace(empty);
    let mut terms: Vec<_> = entries.iter().map(|entry| entry.to_term(heap)).collect();
    if lost > 0 {
        terms.push(entry::of_lost(heap, lost));
    }
    let is_behind = is_behind.to_term(heap);
    let step = shape!(heap, StepShape::Output, is_behind, heap.list(terms), answer);
    heap.tuple([heap.atom(&protocol::MARK), step])
}

/// Runs `work` for a process that is not in a call, for example to drop its tasks. Returns the
/// result of `work`.
pub(crate) fn on_behalf_of<T>(process: Option<ProcessWord>, work: impl FnOnce() -> T) -> T {
    /// Restores the origin, even if `work` panics.
    struct Restore(Origin);
    impl Drop for Restore {
        fn drop(&mut self) {
            ON_THREAD.with(|it| it.origin.set(self.0));
        }
    }
    let Some(process) = process else {
        return work();
    };
    let _restore = Restore(ON_THREAD.with(|it| it.origin.replace(Origin::Of(process))));
    work()
}

/// Returns the clause of the callback that this thread runs.
pub(in crate::runtime) fn clause() -> Option<&'static RunningClause> {
    match origin() {
        Origin::Callback(clause) | Origin::DirtyCallback(_, clause) => Some(clause),
        Origin::Of(_) | Origin::Unknown => None,
    }
}

pub(crate) fn log(event: LogEvent<'_>) {
    let (process, clause) = match origin() {
        Origin::Unknown => (None, None),
        Origin::Callback(clause) => (None, Some(clause)),
        Origin::DirtyCallback(process, clause) => (Some(process), Some(clause)),
        Origin::Of(process) => (Some(process), None),
    };
    let event = event.held(process, clause);
    #[cfg(all(feature = "tokio", feature = "tracing"))]
    if let (Origin::Of(_), Some(inherited)) = (origin(), InheritedSpans::of_future()) {
        inherited.send(event);
        return;
    }
    hand_on(event.within(&[]));
}

pub(crate) fn print(text: &str) {
    let process = match origin() {
        Origin::DirtyCallback(process, _) | Origin::Of(process) => Some(process),
        Origin::Unknown | Origin::Callback(..) => None,
    };
    hand_on(entry_of_text(text, process));
}

fn hand_on(entry: Term) {
    match origin() {
        Origin::Callback(..) => collect(entry),
        Origin::DirtyCallback(..) => {
            ON_THREAD.with(|it| {
                it.is_behind.set(true);
                it.has_output.set(true);
            });
            sent::send(entry);
        }
        Origin::Unknown | Origin::Of(_) => sent::send(entry),
    }
}

fn origin() -> Origin {
    ON_THREAD.with(|it| it.origin.get())
}

fn collect(entry: Term) {
    COLLECTED.with_borrow_mut(|collected| {
        if collected.entries.len() < MAX_COLLECTED {
            collected.entries.push(entry);
        } else {
            collected.lost += 1;
        }
    });
    ON_THREAD.with(|it| it.has_output.set(true));
}
