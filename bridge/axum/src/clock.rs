//! Time limits of connections. Setting a Tokio timer for each request takes longer than sending a
//! page. So these limits wake no task; instead, every connection is woken at the interval [`LOOK`].

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};

/// The interval at which connections check their time limits.
pub(crate) const LOOK: Duration = Duration::from_secs(3);

/// hyper's timer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock;

/// A point in time, as a future.
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
