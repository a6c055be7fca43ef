//! Limits on nesting
//!
//! The VM's own terms may be nested without limit, and scheduler threads have small stacks: reading
//! such a term by recursion would overflow the stack and end the VM. So each type through which a
//! Rust type can contain itself counts its depth.

use std::cell::Cell;

use super::DecodeError;

/// The deepest nesting of a term that is read.
pub const MAX_DEPTH: usize = 128;

/// The most bytes of stack that reading a term may take. A dirty scheduler has 320 KiB
/// (`erl +sssdcpu`). In programs that are not optimised, types with many fields reach this limit
/// before [`MAX_DEPTH`].
const MAX_STACK: usize = 160 * 1024;

#[derive(Clone, Copy)]
struct Nesting {
    depth: usize,
    /// The address of the stack at the outermost level.
    base: usize,
}

thread_local! {
    static NESTING: Cell<Nesting> = const { Cell::new(Nesting { depth: 0, base: 0 }) };
}

/// Runs `read` one level deeper. Implementations of [`super::FromTerm`] for a container that may
/// contain itself through its type (`Box`, `Vec`) read their contents with it.
///
/// # Errors
/// Those of `read`, and another one if the nesting is deeper than [`MAX_DEPTH`].
pub fn guard_depth<T>(read: impl FnOnce() -> Result<T, DecodeError>) -> Result<T, DecodeError> {
    let outer = NESTING.get();
    let _restore = Restore(outer);
    let here = std::ptr::from_ref(&outer).addr();
    let base = if outer.depth == 0 { here } else { outer.base };
    if outer.depth >= MAX_DEPTH || base.abs_diff(here) > MAX_STACK {
        return Err(too_deep());
    }
    NESTING.set(Nesting {
        depth: outer.depth + 1,
        base,
    });
    read()
}

/// The error of a term that is nested too deep.
#[cold]
fn too_deep() -> DecodeError {
    DecodeError::new(
        "a term with less nesting",
        "too many levels of lists, tuples or maps",
    )
}

/// Restores the nesting, even if `read` panics.
struct Restore(Nesting);

impl Drop for Restore {
    fn drop(&mut self) {
        NESTING.set(self.0);
    }
}
