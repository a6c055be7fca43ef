//! A stack on which recursion over terms is safe.
//!
//! What reads, writes, compares or drops a term calls itself once per level, and the VM's threads
//! have small stacks: a megabyte for a scheduler, 320 KiB for a dirty one. So each thread that needs
//! it gets a large region of addresses, in which the operating system puts memory only where it is
//! used. Calls from the VM run on it from the beginning ([`call`]). Other threads come to it when
//! their own stack is nearly full ([`deeper`]).

mod bounds;
mod region;
mod switch;

use std::cell::{Cell, OnceCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use bounds::Bounds;
use region::Region;
pub(crate) use region::SIZE;

/// What one level of recursion, and everything that it calls without coming here, may take.
const RED_ZONE: usize = 128 * 1024;

/// The stack is full. The recursion is deeper than any that is supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exhausted;

/// What is known of a thread's stacks. It has no destructor, so that it can be asked at any time.
struct Stacks {
    /// The one that the thread is on. Unknown before the first question.
    current: Cell<Bounds>,
    large: Cell<Large>,
    /// Whether something runs on the large one.
    is_used: Cell<bool>,
}

#[derive(Clone, Copy)]
enum Large {
    NotMade,
    /// The system has refused it, or the thread ends.
    Missing,
    At(Bounds),
}

thread_local! {
    static STACKS: Stacks = const {
        Stacks {
            current: Cell::new(Bounds::UNKNOWN),
            large: Cell::new(Large::NotMade),
            is_used: Cell::new(false),
        }
    };

    /// Frees the large stack at the end of the thread.
    static OWNER: OnceCell<Owner> = const { OnceCell::new() };
}

struct Owner {
    _region: Region,
}

impl Drop for Owner {
    fn drop(&mut self) {
        STACKS.with(|stacks| stacks.large.set(Large::Missing));
    }
}

/// Runs one more level of a recursion. It may unwind.
///
/// # Errors
/// There is no more stack.
#[inline]
pub(crate) fn deeper<T>(level: impl FnOnce() -> T) -> Result<T, Exhausted> {
    if STACKS.with(|stacks| stacks.current.get()).remaining() >= RED_ZONE {
        return Ok(level());
    }
    at_the_end(level)
}

#[cold]
#[inline(never)]
fn at_the_end<T>(level: impl FnOnce() -> T) -> Result<T, Exhausted> {
    let bounds = STACKS.with(Stacks::find_current);
    if bounds.is_some_and(|bounds| bounds.remaining() >= RED_ZONE) {
        return Ok(level());
    }
    match STACKS.with(Stacks::free_large) {
        Some(large) => Ok(unwinding_on(large, level)),
        None => Err(Exhausted),
    }
}

/// Runs a call on the thread's large stack, if there is one. It may unwind.
pub(crate) fn run<T>(call: impl FnOnce() -> T) -> T {
    match STACKS.with(Stacks::free_large) {
        Some(large) => unwinding_on(large, call),
        None => call(),
    }
}

/// Runs a call from the VM on the thread's large stack, if there is one. If it unwinds, the program
/// is aborted.
#[inline]
pub(crate) fn call<T>(call: impl FnOnce() -> T) -> T {
    match STACKS.with(Stacks::free_large) {
        Some(large) => on(large, call),
        None => call(),
    }
}

fn unwinding_on<T>(large: Bounds, call: impl FnOnce() -> T) -> T {
    match on(large, || catch_unwind(AssertUnwindSafe(call))) {
        Ok(value) => value,
        Err(payload) => resume_unwind(payload),
    }
}

/// Runs a call at the beginning of the large stack, on which nothing runs.
#[inline]
fn on<T>(large: Bounds, call: impl FnOnce() -> T) -> T {
    let outer = STACKS.with(|stacks| {
        stacks.is_used.set(true);
        stacks.current.replace(large)
    });
    let result = region::enter(large, call);
    STACKS.with(|stacks| {
        stacks.is_used.set(false);
        stacks.current.set(outer);
    });
    result
}

impl Stacks {
    /// The large stack, if nothing runs on it.
    #[inline]
    fn free_large(&self) -> Option<Bounds> {
        match self.large.get() {
            Large::At(bounds) if !self.is_used.get() => Some(bounds),
            Large::NotMade => self.make_large(),
            Large::At(_) | Large::Missing => None,
        }
    }

    #[cold]
    #[inline(never)]
    fn make_large(&self) -> Option<Bounds> {
        let bounds = Region::new().and_then(|region| {
            let bounds = region.bounds();
            let owner = Owner { _region: region };
            OWNER
                .try_with(|own| own.set(owner).is_ok())
                .ok()?
                .then_some(bounds)
        });
        self.large.set(bounds.map_or(Large::Missing, Large::At));
        bounds
    }

    /// The stack that the thread is on, if it is one of its own.
    fn find_current(&self) -> Option<Bounds> {
        let known = self.current.get();
        let large = match self.large.get() {
            Large::At(bounds) => Some(bounds),
            Large::NotMade | Large::Missing => None,
        };
        let found = Some(known)
            .filter(Bounds::is_here)
            .or(large.filter(Bounds::is_here))
            .or_else(Bounds::of_thread)?;
        self.current.set(found);
        Some(found)
    }
}

#[cfg(test)]
mod tests;
