//! The `unsafe` parts of running tasks: the waker of a poll, and values that only calls of their
//! process can access.
//!
//! Its callers are the executor, which polls with such a waker, and `sharing`, which keeps its
//! values in such cells. It does not know the layout of a task.

pub(in crate::tasks) mod owned;
pub(in crate::tasks) mod waker;
