//! What is `unsafe` about running tasks: the waker of a poll, and values that only calls of their
//! process reach.
//!
//! Called from outside: by the executor, which polls with such a waker, and by `sharing`, which
//! keeps its values in such cells. It does not know what a task is made of.

pub(in crate::tasks) mod owned;
pub(in crate::tasks) mod waker;
