//! The bound on nesting
//!
//! The VM's own terms may be nested without limit, and scheduler threads have small stacks: reading such a term by
//! recursion would overflow the stack and end the VM. So each type through which a Rust type can contain itself
//! counts its depth.

use std::cell::Cell;

use super::DecodeError;

/// How deep a term that is read may be nested.
pub const MAX_DEPTH: usize = 256;

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Runs `read` one level deeper; implementations of [`super::FromTerm`] for containers of a type that may contain the
/// container again (`Box`, `Vec`) read their contents in it.
///
/// # Errors
/// Those of `read`, and one of its own where the nesting is deeper than [`MAX_DEPTH`].
pub fn guard_depth<T>(read: impl FnOnce() -> Result<T, DecodeError>) -> Result<T, DecodeError> {
    let depth = DEPTH.get();
    if depth >= MAX_DEPTH {
        return Err(too_deep());
    }
    DEPTH.set(depth + 1);
    let _restore = Restore(depth);
    read()
}

/// The error of a term that is nested too deep.
#[cold]
pub(crate) fn too_deep() -> DecodeError {
    DecodeError::new(
        format!("a term of at most {MAX_DEPTH} levels"),
        "a deeper one",
    )
}

/// Puts the depth back, also when `read` panics.
struct Restore(usize);

impl Drop for Restore {
    fn drop(&mut self) {
        DEPTH.set(self.0);
    }
}
