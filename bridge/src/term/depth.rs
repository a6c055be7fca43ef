//! Limits on nesting.
//!
//! The VM's own terms may be nested without limit. Code that reads them calls itself once per
//! level. So it counts the levels, and runs on a stack that is large enough for the deepest level
//! that it allows.

use std::cell::Cell;

use super::{DecodeError, Misfit};
use crate::stack;

/// The deepest nesting of a term that can be read.
pub const MAX_DEPTH: usize = 16_384;

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Runs `read` one level deeper. Implementations of [`super::FromTerm`] for a container that may
/// contain itself through its type read their contents with it.
///
/// # Errors
/// The errors of `read`, and another one if the nesting is deeper than [`MAX_DEPTH`].
pub fn guard_depth<T>(read: impl FnOnce() -> Result<T, DecodeError>) -> Result<T, DecodeError> {
    let outer = DEPTH.get();
    if outer >= MAX_DEPTH {
        return Err(too_deep());
    }
    let _restore = Restore(outer);
    DEPTH.set(outer + 1);
    on_any_stack(read)
}

/// Reads the contents of a pointer, which may include the type itself.
///
/// # Errors
/// The errors of `read`, and another one if the stack is full.
#[inline]
pub(super) fn on_any_stack<T>(
    read: impl FnOnce() -> Result<T, DecodeError>,
) -> Result<T, DecodeError> {
    stack::deeper(read).unwrap_or_else(|stack::Exhausted| Err(too_deep()))
}

/// Checks the contents of a pointer, which may include the type itself. If the stack is full, the
/// check succeeds, and reading the term reports the error.
pub(super) fn check_on_any_stack(check: impl FnOnce() -> Result<(), Misfit>) -> Result<(), Misfit> {
    stack::deeper(check).unwrap_or(Ok(()))
}

/// Runs one more level of a recursion that cannot fail.
///
/// # Panics
/// If the stack is full. It is large enough for [`MAX_DEPTH`] levels.
#[inline]
pub(crate) fn deeper<T>(level: impl FnOnce() -> T) -> T {
    match stack::deeper(level) {
        Ok(done) => done,
        Err(stack::Exhausted) => exhausted(),
    }
}

/// Runs code on a stack of 256 MiB, where values as deep as [`MAX_DEPTH`] can be dropped, copied
/// and printed by recursion. Only the used part of the stack takes memory. Callbacks run on such a
/// stack already. Use this on other threads if they have deep values.
pub fn on_large_stack<T>(call: impl FnOnce() -> T) -> T {
    stack::run(call)
}

#[cold]
fn exhausted() -> ! {
    panic!(
        "the term is nested deeper than a stack of {} MiB allows",
        stack::SIZE >> 20
    )
}

/// Returns the error of a term that is nested too deep.
#[cold]
pub(super) fn too_deep() -> DecodeError {
    DecodeError::limit(
        format!("a term of at most {MAX_DEPTH} levels of lists, tuples and maps"),
        "one that is nested deeper",
    )
}

/// Restores the depth, even if `read` panics.
struct Restore(usize);

impl Drop for Restore {
    fn drop(&mut self) {
        DEPTH.set(self.0);
    }
}
