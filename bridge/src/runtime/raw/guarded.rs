//! Futures that convert their panics into errors.
#![allow(unsafe_code)]

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::runtime::failure::exit::{Exit, Result};
use crate::runtime::failure::panics::Panic;

/// A task's future. A panic in it becomes the exit of the task.
pub(crate) struct Guarded<F>(pub(crate) F);

impl<T, F: Future<Output = Result<T>>> Future for Guarded<F> {
    type Output = Result<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T>> {
        // SAFETY: the field is pinned as `self` is. It is used only here.
        let future = unsafe { self.map_unchecked_mut(|guarded| &mut guarded.0) };
        match catch_unwind(AssertUnwindSafe(|| future.poll(context))) {
            Ok(polled) => polled,
            Err(payload) => Poll::Ready(Err(Exit::of_clause(Panic::caught(payload)))),
        }
    }
}
