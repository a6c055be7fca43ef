//! Checkpoints: points at which a long computation may yield.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use otp_bridge::Cx;

/// Decides what happens at a checkpoint.
pub trait Pace {
    /// Yields if others wait.
    fn checkpoint(&self) -> impl Future<Output = ()>;
}

/// Yields to the scheduler when the timeslice is used up.
impl Pace for Cx<'_> {
    fn checkpoint(&self) -> impl Future<Output = ()> {
        Cx::checkpoint(self)
    }
}

/// Never yields.
pub struct Relentless;

impl Pace for Relentless {
    async fn checkpoint(&self) {}
}

/// Runs a computation that never yields: one with [`Relentless`].
///
/// # Panics
/// If the computation yields.
pub fn at_once<T>(computation: impl Future<Output = T>) -> T {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(computation).poll(&mut context) {
        Poll::Ready(result) => result,
        Poll::Pending => panic!("the computation has paused"),
    }
}
