//! Times that a connection waits for. To set a timer of Tokio's for each request takes longer than
//! to send a page, so these wake nobody: every connection is woken each [`limits::LOOK`].
//!
//! [`limits::LOOK`]: crate::limits::LOOK

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};

/// hyper's times.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock;

/// The end of a time.
pub(super) struct Until(Instant);

impl Until {
    pub(super) fn after(time: Duration) -> Self {
        Until(Instant::now() + time)
    }
}

impl Future for Until {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        match Instant::now() < self.0 {
            true => Poll::Pending,
            false => Poll::Ready(()),
        }
    }
}

impl Sleep for Until {}

impl Timer for Clock {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        Box::pin(Until::after(duration))
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(Until(deadline))
    }
}
