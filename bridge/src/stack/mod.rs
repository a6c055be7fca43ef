//! A stack on which recursion over terms is safe.
//!
//! What reads, writes, compares or drops a term calls itself once per level, and the VM's threads
//! have small stacks: a megabyte for a scheduler, 320 KiB for a dirty one. So each thread that needs
//! it gets a large region of addresses, in which the operating system puts memory only where it is
//! used. Calls from the VM run on it from the beginning ([`run`]). Other threads come to it when
//! their own stack is nearly full ([`deeper`]).

mod bounds;
mod region;
mod switch;

use std::cell::Cell;

use bounds::Bounds;
use region::Region;
pub(crate) use region::SIZE;

/// What one level of recursion, and everything that it calls without coming here, may take.
const RED_ZONE: usize = 128 * 1024;

/// The stack is full. The recursion is deeper than any that is supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exhausted;

thread_local! {
    /// The stack that this thread is on. Unknown before the first question.
    static CURRENT: Cell<Bounds> = const { Cell::new(Bounds::UNKNOWN) };

    /// The thread's large stack, made when it is first needed. `None` if the system has refused it.
    static LARGE: Option<Region> = Region::new();
}

/// Runs one more level of a recursion. It may unwind.
///
/// # Errors
/// There is no more stack.
#[inline]
pub(crate) fn deeper<T>(level: impl FnOnce() -> T) -> Result<T, Exhausted> {
    if CURRENT.get().remaining() >= RED_ZONE {
        return Ok(level());
    }
    at_the_end(level)
}

#[cold]
#[inline(never)]
fn at_the_end<T>(level: impl FnOnce() -> T) -> Result<T, Exhausted> {
    if !CURRENT.get().is_here() {
        let Some(bounds) = large().filter(Bounds::is_here).or_else(Bounds::of_thread) else {
            return on_large(level);
        };
        CURRENT.set(bounds);
        if bounds.remaining() >= RED_ZONE {
            return Ok(level());
        }
    }
    on_large(level)
}

/// Runs a call from the VM on the thread's large stack. It may unwind.
#[inline]
pub(crate) fn run<T>(call: impl FnOnce() -> T) -> T {
    let mut call = Some(call);
    let mut entered = || call.take().map(|call| call());
    match on_large(&mut entered) {
        Ok(Some(result)) => result,
        // Without a large stack the thread's own must do.
        _ => match entered() {
            Some(result) => result,
            None => unreachable!("a call runs once"),
        },
    }
}

fn large() -> Option<Bounds> {
    let bounds = |region: &Option<Region>| region.as_ref().map(Region::bounds);
    // While the thread ends, there may be none any more.
    LARGE.try_with(bounds).ok().flatten()
}

/// Goes to the large stack, unless the thread is on it already.
fn on_large<T>(call: impl FnOnce() -> T) -> Result<T, Exhausted> {
    let enter = |region: &Option<Region>| {
        let region = region.as_ref().ok_or(Exhausted)?;
        let bounds = region.bounds();
        if bounds.is_here() {
            CURRENT.set(bounds);
            return match bounds.remaining() >= RED_ZONE {
                true => Ok(call()),
                false => Err(Exhausted),
            };
        }
        let outer = CURRENT.replace(bounds);
        let result = region.enter(call);
        CURRENT.set(outer);
        match result {
            Some(Ok(value)) => Ok(value),
            Some(Err(payload)) => std::panic::resume_unwind(payload),
            None => Err(Exhausted),
        }
    };
    LARGE.try_with(enter).unwrap_or(Err(Exhausted))
}

#[cfg(test)]
mod tests;
