//! A stack on which recursion over terms is safe.
//!
//! Code that reads, writes, compares or drops a term calls itself once per level, and the VM's
//! threads have small stacks: a megabyte for a scheduler, 320 KiB for a dirty one. So each thread
//! that needs it gets a large region of addresses; the operating system allocates memory only for
//! the parts that are used. Calls from the VM run on it from their start ([`call`]). Other threads
//! switch to it when their own stack is nearly full ([`deeper`]).

mod bounds;
#[cfg(target_os = "linux")]
mod overflow;
#[cfg(not(target_os = "linux"))]
#[path = "no_overflow.rs"]
mod overflow;
mod region;
mod switch;

use std::cell::{Cell, OnceCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use bounds::Bounds;
use overflow::Alternate;
pub(crate) use overflow::install as say_overflows;
use region::Region;
pub(crate) use region::SIZE;
pub(crate) use region::unload::begin as begin_unload;

/// The largest stack size of one level of recursion, including everything that it calls without
/// using this module.
const RED_ZONE: usize = 128 * 1024;

/// The stack is full: the recursion is deeper than the supported maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exhausted;

/// The stacks of a thread. It has no destructor, so that it can be used at any time.
struct Stacks {
    /// The stack that the thread is on. Unknown before the first use.
    current: Cell<Bounds>,
    /// The large stack. Unknown if there is none.
    large: Cell<Bounds>,
    use_of_large: Cell<Use>,
    /// See [`call_keeping`].
    kept: ThreadMemory,
}

/// Numbers that a thread keeps from call to call, or to the end of one. They are
/// stored with the thread's stacks, because each access to another thread-local variable would take
/// as long. Numbers without another value are initially 0.
#[derive(Debug)]
pub(crate) struct ThreadMemory {
    /// Initially [`usize::MAX`].
    pub(crate) slot: Cell<usize>,
    pub(crate) environment: Cell<usize>,
    pub(crate) binary_at: Cell<usize>,
    pub(crate) binary_size: Cell<usize>,
    pub(crate) binary: Cell<usize>,
}

impl ThreadMemory {
    pub(crate) const fn new() -> Self {
        ThreadMemory {
            slot: Cell::new(usize::MAX),
            environment: Cell::new(0),
            binary_at: Cell::new(0),
            binary_size: Cell::new(0),
            binary: Cell::new(0),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    NotMade,
    /// The system has refused it, or the thread is ending.
    Missing,
    Free,
    /// Code runs on it.
    Taken,
}

thread_local! {
    static STACKS: Stacks = const {
        Stacks {
            current: Cell::new(Bounds::UNKNOWN),
            large: Cell::new(Bounds::UNKNOWN),
            use_of_large: Cell::new(Use::NotMade),
            kept: ThreadMemory::new(),
        }
    };

    /// Frees the large stack at the end of the thread.
    static OWNER: OnceCell<Owner> = const { OnceCell::new() };
}

struct Owner {
    _region: Region,
    /// The stack of the handler that is called when the large stack overflows.
    _alternate: Option<Alternate>,
}

impl Drop for Owner {
    fn drop(&mut self) {
        STACKS.with(|stacks| {
            stacks.use_of_large.set(Use::Missing);
            stacks.large.set(Bounds::UNKNOWN);
        });
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
    match STACKS.with(Stacks::has_free) {
        true => Ok(run(level)),
        false => Err(Exhausted),
    }
}

/// Runs a call on the thread's large stack, if there is one. It may unwind.
pub(crate) fn run<T>(work: impl FnOnce() -> T) -> T {
    match call(|| catch_unwind(AssertUnwindSafe(work))) {
        Ok(value) => value,
        Err(payload) => resume_unwind(payload),
    }
}

/// Runs a call from the VM on the thread's large stack, if there is one. If it unwinds, the program
/// is aborted.
///
/// Every callback runs through this function, so it looks up the thread's stacks only once.
#[inline]
pub(crate) fn call<T>(work: impl FnOnce() -> T) -> T {
    call_keeping(|_| work())
}

/// Like [`call`], with the numbers that the thread keeps from call to call.
#[inline]
pub(crate) fn call_keeping<T>(work: impl FnOnce(&ThreadMemory) -> T) -> T {
    STACKS.with(|stacks| {
        let large = stacks.take_large();
        if let Some(large) = large {
            stacks.current.set(large);
        }
        let result = region::run(large, || work(&stacks.kept));
        // `current` is not reset: bounds of another stack than the thread's have nothing left.
        if large.is_some() {
            stacks.use_of_large.set(Use::Free);
        }
        result
    })
}

/// Returns the result of `work`, which gets the numbers that the thread keeps, within a call.
pub(crate) fn keeping<T>(work: impl FnOnce(&ThreadMemory) -> T) -> T {
    STACKS.with(|stacks| work(&stacks.kept))
}

impl Stacks {
    /// Takes the large stack, if it is free, and marks it as used.
    #[inline]
    fn take_large(&self) -> Option<Bounds> {
        self.has_free().then(|| {
            self.use_of_large.set(Use::Taken);
            self.large.get()
        })
    }

    /// Returns whether there is a large stack that is free.
    #[inline]
    fn has_free(&self) -> bool {
        let now = self.use_of_large.get();
        now == Use::Free || (now == Use::NotMade && self.make_large())
    }

    #[cold]
    #[inline(never)]
    fn make_large(&self) -> bool {
        let bounds = Region::new().and_then(|region| {
            let bounds = region.bounds();
            let owner = Owner {
                _region: region,
                _alternate: Alternate::new(),
            };
            OWNER
                .try_with(|own| own.set(owner).is_ok())
                .ok()?
                .then_some(bounds)
        });
        self.large.set(bounds.unwrap_or(Bounds::UNKNOWN));
        self.use_of_large.set(match bounds {
            Some(_) => Use::Free,
            None => Use::Missing,
        });
        bounds.is_some()
    }

    /// Returns the stack that the thread is on, if it is one of its own.
    fn find_current(&self) -> Option<Bounds> {
        let known = self.current.get();
        let found = Some(known)
            .filter(Bounds::is_here)
            .or(Some(self.large.get()).filter(Bounds::is_here))
            .or_else(Bounds::of_thread)?;
        self.current.set(found);
        Some(found)
    }
}

#[cfg(test)]
mod tests;
