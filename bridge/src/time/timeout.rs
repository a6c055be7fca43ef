//! Time limits.

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use super::sleep::Sleep;
use crate::runtime::{Cx, ExitOf};
use crate::{Class, Exit, Term, atom};

/// The time limit was reached first. With `?` the process ends with `exit(timeout)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elapsed;

impl fmt::Display for Elapsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the time limit was reached")
    }
}

impl std::error::Error for Elapsed {}

/// `exit(timeout)`
#[diagnostic::do_not_recommend]
impl ExitOf<Elapsed> for Exit {
    fn of(_: Elapsed, location: &'static Location<'static>) -> Self {
        Self::raised_at(Class::Exit, Term::of(&atom!("timeout")), location)
    }
}

impl Cx<'_> {
    /// Awaits `future` for at most this long, rounded up to milliseconds. After that, the future is
    /// dropped, which cancels its operations.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// # use std::time::Duration;
    /// use otp_bridge::{Atom, Cx, Result};
    ///
    /// async fn ask(cx: &Cx<'_>) -> Result<Option<Atom>> {
    ///     let slow = cx.apply("net_adm", "ping", (otp_bridge::atom!("far@away"),));
    ///     match cx.timeout(Duration::from_millis(500), slow).await {
    ///         Ok(answer) => Ok(Some(answer?)),
    ///         Err(_elapsed) => Ok(None),
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    /// [`Elapsed`](crate::time::Elapsed) if the time limit was reached first; `?` converts it into
    /// `exit(timeout)`. The output of the future itself is in the `Ok`, so `.await??` passes on
    /// both errors.
    #[track_caller]
    pub fn timeout<F: Future>(&self, time: Duration, future: F) -> Within<'_, F> {
        Within::new(self.sleep(time), future)
    }
}

/// A future with a time limit: see [`crate::Cx::timeout`].
#[must_use = "a future does nothing until it is awaited"]
#[derive(Debug)]
pub struct Within<'call, F> {
    sleep: Sleep<'call>,
    future: Pin<Box<F>>,
}

impl<'call, F: Future> Within<'call, F> {
    pub(super) fn new(sleep: Sleep<'call>, future: F) -> Self {
        Within {
            sleep,
            future: Box::pin(future),
        }
    }
}

impl<F: Future> Future for Within<'_, F> {
    type Output = Result<F::Output, Elapsed>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if let Poll::Ready(output) = self.future.as_mut().poll(context) {
            return Poll::Ready(Ok(output));
        }
        Pin::new(&mut self.sleep)
            .poll(context)
            .map(|_| Err(Elapsed))
    }
}
