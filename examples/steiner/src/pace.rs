//! Where a long computation may pause.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use otp_bridge::Cx;

/// What a computation does between two of its steps.
pub trait Pace {
    /// Pauses, if others wait.
    fn checkpoint(&self) -> impl Future<Output = ()>;
}

/// Gives the scheduler back when the timeslice is used up.
impl Pace for Cx<'_> {
    fn checkpoint(&self) -> impl Future<Output = ()> {
        Cx::checkpoint(self)
    }
}

/// Goes on at once.
pub struct Relentless;

impl Pace for Relentless {
    async fn checkpoint(&self) {}
}

/// The result of a computation that never pauses: one with [`Relentless`].
///
/// # Panics
/// It has paused.
pub fn at_once<T>(computation: impl Future<Output = T>) -> T {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(computation).poll(&mut context) {
        Poll::Ready(result) => result,
        Poll::Pending => panic!("the computation has paused"),
    }
}
