//! The state of a clause with `&self`.

use std::fmt;
use std::ops::Deref;

/// A state that a future only reads. The future is `Send` even if threads cannot share the state.
pub struct ReadOnly<'state, S>(&'state mut S);

impl<'state, S> ReadOnly<'state, S> {
    /// Wraps the state.
    pub fn new(state: &'state mut S) -> Self {
        ReadOnly(state)
    }
}

impl<S> Deref for ReadOnly<'_, S> {
    type Target = S;

    #[inline]
    fn deref(&self) -> &S {
        self.0
    }
}

impl<S: fmt::Debug> fmt::Debug for ReadOnly<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<S: fmt::Display> fmt::Display for ReadOnly<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
