//! Pauses between attempts.

use std::time::Duration;

/// The pauses between attempts to reach something that is away: each is twice as long as the one
/// before, up to a limit.
///
/// A child whose `init` fails again and again ends its supervisor, and at last the application. So
/// let `init` succeed without the dependency, try to reach it afterwards, and answer requests
/// without it:
///
/// ```
/// # use otp_bridge_novm as _;
/// use std::time::Duration;
/// use otp_bridge::atoms::{continue_, ok};
/// use otp_bridge::gen_server::prelude::*;
/// use otp_bridge::time::{Backoff, Timers};
/// # async fn connect(cx: &Cx<'_>) -> Result<u64> { cx.apply("radio", "connect", ()).await }
///
/// /// A radio that may be switched off.
/// #[derive(Debug, Term)]
/// pub struct Radio {
///     connection: Option<u64>,
///     pause: Backoff,
/// }
///
/// /// `connect`: the next attempt.
/// #[derive(Debug, Term)]
/// pub struct Connect;
///
/// /// `send`: whether it was sent.
/// #[derive(Debug, Term)]
/// #[reply(bool)]
/// pub struct Send;
///
/// impl Radio {
///     async fn connect(&mut self, cx: &Cx<'_>) {
///         self.connection = connect(cx).await.ok();
///         match self.connection {
///             Some(_) => self.pause.reset(),
///             None => {
///                 cx.send_after(self.pause.next_pause(), Connect);
///             }
///         }
///     }
/// }
///
/// #[gen_server]
/// impl GenServer for Radio {
///     type Args = ();
///
///     fn init(_: ()) -> impl InitReturn<Self> {
///         let pause = Backoff::new(Duration::from_millis(100)).at_most(Duration::from_secs(30));
///         (ok, Radio { connection: None, pause }, (continue_, Connect))
///     }
///
///     async fn handle_continue(&mut self, _: Connect, cx: &Cx<'_>) -> Result<HandleContinue> {
///         self.connect(cx).await;
///         noreply()
///     }
///
///     async fn handle_info(&mut self, _: Connect, cx: &Cx<'_>) -> Result<HandleInfo> {
///         self.connect(cx).await;
///         noreply()
///     }
///
///     fn handle_call(&mut self, _: Send) -> HandleCall<bool> {
///         reply(self.connection.is_some())
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, crate::Term)]
#[must_use]
pub struct Backoff {
    /// The first pause. All three are in milliseconds.
    first: u64,
    most: u64,
    next: u64,
}

/// The limit without [`Backoff::at_most`].
const MOST: Duration = Duration::from_secs(60);

impl Backoff {
    /// Creates pauses that begin with this one, and are a minute at most. A pause is rounded up to
    /// milliseconds.
    pub fn new(first: Duration) -> Self {
        let first = milliseconds(first).max(1);
        Backoff {
            first,
            most: milliseconds(MOST).max(first),
            next: first,
        }
    }

    /// Sets the longest pause.
    pub fn at_most(mut self, most: Duration) -> Self {
        self.most = milliseconds(most).max(1);
        self.reset();
        self
    }

    /// Returns the pause before the next attempt, and doubles the one after it.
    pub fn next_pause(&mut self) -> Duration {
        let pause = self.next;
        self.next = pause.saturating_mul(2).min(self.most);
        Duration::from_millis(pause)
    }

    /// Begins with the first pause again, after an attempt that has succeeded.
    pub fn reset(&mut self) {
        self.next = self.first.min(self.most);
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pauses(backoff: &mut Backoff, count: usize) -> Vec<u128> {
        let pauses = (0..count).map(|_| backoff.next_pause().as_millis());
        pauses.collect()
    }

    #[test]
    fn pauses_double_up_to_limit() {
        let mut backoff = Backoff::new(Duration::from_millis(100)).at_most(Duration::from_secs(1));
        assert_eq!(pauses(&mut backoff, 6), [100, 200, 400, 800, 1000, 1000]);
        backoff.reset();
        assert_eq!(pauses(&mut backoff, 2), [100, 200]);
    }

    #[test]
    fn odd_durations_are_possible() {
        assert_eq!(pauses(&mut Backoff::new(Duration::ZERO), 3), [1, 2, 4]);
        let longer = Backoff::new(Duration::from_secs(90));
        assert_eq!(pauses(&mut longer.clone(), 2), [90_000, 90_000]);
        let shorter = longer.at_most(Duration::from_secs(1));
        assert_eq!(pauses(&mut shorter.clone(), 2), [1000, 1000]);
        let mut longest = Backoff::new(Duration::MAX).at_most(Duration::MAX);
        assert_eq!(longest.next_pause(), longest.next_pause());
    }
}
