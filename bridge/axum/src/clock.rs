//! Times that a connection waits for. To set a timer of Tokio's for each request takes longer than
//! to send a page, so these wake nobody: every connection is woken each [`LOOK`].

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};

/// How often connections look whether a time is over.
pub(crate) const LOOK: Duration = Duration::from_secs(3);

/// hyper's times.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock;

/// The end of a time.
pub(crate) struct Until(Instant);

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
        Box::pin(Until(Instant::now() + duration))
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(Until(deadline))
    }
}
