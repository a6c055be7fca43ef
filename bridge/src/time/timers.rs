//! Erlang's timers.

use std::time::Duration;

use otp_contract::library::Request;

use crate::messages::TimerTimeout;
use crate::process::functions::{AnyResult, Anything, Function, FunctionResult, OkWith};
use crate::process::{AtOnce, CallbackContext, at_once, milliseconds};
use crate::runtime::protocol::shape;
use crate::runtime::{Cx, Failure, Ongoing, Operation, WhenDropped};
use crate::term::Reader;
use crate::{DecodeError, FromTerm, Heap, Pid, Reference, Term, ToTerm, View};

/// A timer of `erlang:send_after/3` or `erlang:start_timer/3`.
///
/// Dropping the value does not cancel the timer: call [`Cx::cancel_timer`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Term)]
#[term(transparent)]
pub struct Timer(Reference);

impl Timer {
    /// Returns whether this timer has sent the message.
    pub fn is<Message>(&self, timeout: &TimerTimeout<Message>) -> bool {
        self.0 == timeout.timer
    }

    /// Returns the timer's reference in Erlang.
    #[must_use]
    pub fn reference(&self) -> &Reference {
        &self.0
    }
}

/// A timer of `timer:send_interval/2`.
///
/// Dropping the value does not cancel the timer: call [`Cx::cancel_interval`].
#[derive(Debug, Clone, PartialEq, Term)]
#[term(transparent)]
pub struct Interval(Term);

/// A call that starts a timer.
pub(super) type StartsTimer<M> = AtOnce<(u32, Pid, M), AnyResult<Timer>>;

/// Methods of [`Cx`] for timers that send messages to the process of the callback.
pub trait Timers: CallbackContext {
    /// Sends a message to this process after a time: `erlang:send_after/3`. Await the call if you
    /// want to cancel the timer later:
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// # use std::time::Duration;
    /// use otp_bridge::time::Timers;
    /// # use otp_bridge::{Cx, Result, atom};
    /// async fn hurry(cx: &Cx<'_>) -> Result<()> {
    ///     cx.send_after(Duration::from_secs(1), atom!("tick"));
    ///     let timer = cx.send_after(Duration::from_secs(60), atom!("late")).await?;
    ///     let left: Option<Duration> = cx.cancel_timer(&timer).await?;
    ///     Ok(())
    /// }
    /// ```
    ///
    /// The time is rounded up to milliseconds.
    ///
    /// # Errors
    /// None of its own.
    ///
    /// # Panics
    /// If the time is longer than 49 days. Such a message would never be seen to arrive.
    #[track_caller]
    fn send_after<M: ToTerm>(
        &self,
        time: Duration,
        message: M,
    ) -> Ongoing<'_, Timer, StartsTimer<M>> {
        static SEND_AFTER: Function = Function::new("erlang", "send_after");
        at_once(
            self.cx(),
            &SEND_AFTER,
            (time_of_timer("send_after", time), self.cx().pid(), message),
        )
    }

    /// Sends [`TimerTimeout`], which is `{timeout, Timer, Message}`, to this process after a time:
    /// `erlang:start_timer/3`. [`Timer::is`] tells which timer has sent it, and a cancelled timer
    /// never sends it.
    ///
    /// # Errors
    /// None of its own.
    ///
    /// # Panics
    /// If the time is longer than 49 days.
    #[track_caller]
    fn start_timer<M: ToTerm>(
        &self,
        time: Duration,
        message: M,
    ) -> Ongoing<'_, Timer, StartsTimer<M>> {
        static START_TIMER: Function = Function::new("erlang", "start_timer");
        let time = time_of_timer("start_timer", time);
        let arguments = (time, self.cx().pid(), message);
        at_once(self.cx(), &START_TIMER, arguments)
    }

    /// Cancels a timer: `erlang:cancel_timer/1`. Returns the remaining time, or `None` if the timer
    /// had already sent its message.
    ///
    /// In that case, the [`TimerTimeout`] of a [`Cx::start_timer`] is removed from the mailbox, if
    /// it is still there. The message of a [`Cx::send_after`] may still arrive.
    ///
    /// # Errors
    /// None of its own.
    #[track_caller]
    fn cancel_timer(&self, timer: &Timer) -> Ongoing<'_, Option<Duration>, CancelTimer> {
        Ongoing::new(self.cx(), CancelTimer(timer.0.clone()))
    }

    /// Sends a message to this process repeatedly: `timer:send_interval/2`. The first one is sent
    /// after one interval. The repetition ends with the process, or when it is cancelled.
    ///
    /// # Errors
    /// None of its own.
    ///
    /// # Panics
    /// If the interval is zero, which would fill the mailbox faster than it can be read, or longer
    /// than 49 days.
    #[track_caller]
    fn send_interval<M: ToTerm>(
        &self,
        interval: Duration,
        message: M,
    ) -> Ongoing<'_, Interval, AtOnce<(u32, M), IntervalStarted>> {
        static SEND_INTERVAL: Function = Function::new("timer", "send_interval");
        assert!(
            !interval.is_zero(),
            "send_interval: an interval of 0 ms would fill the mailbox faster than it can be read; the shortest one is 1 ms"
        );
        let interval = time_of_timer("send_interval", interval);
        at_once(self.cx(), &SEND_INTERVAL, (interval, message))
    }

    /// Cancels the repetition of a message: `timer:cancel/1`. One more message may be in the
    /// mailbox.
    ///
    /// # Errors
    /// None of its own.
    #[track_caller]
    fn cancel_interval(&self, interval: &Interval) -> Ongoing<'_, (), AtOnce<(Term,), Anything>> {
        static CANCEL: Function = Function::new("timer", "cancel");
        at_once(self.cx(), &CANCEL, (interval.0.clone(),))
    }
}

impl Timers for Cx<'_> {}

/// Returns the milliseconds of a timer. Panics for a time beyond the limit, because any other time
/// would not be the one in the program.
#[track_caller]
fn time_of_timer(function: &str, time: Duration) -> u32 {
    let longest = u32::MAX;
    assert!(
        time <= Duration::from_millis(longest.into()),
        "{function}: a time of {time:?}: the longest time is {longest} ms (49 days)"
    );
    milliseconds(time)
}

/// `erlang:cancel_timer/1`
#[derive(Debug)]
pub struct CancelTimer(Reference);

impl Operation for CancelTimer {
    type Output = Option<Duration>;

    const WHEN_DROPPED: WhenDropped = WhenDropped::GoesOn;

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        shape!(heap, Request::CancelTimer, self.0.to_term(heap))
    }

    fn answer<'a, V: View<'a>>(value: V, _: Reader<'_>) -> Result<Option<Duration>, Failure> {
        let left = Vec::<u64>::from_term(value)?;
        Ok(left.first().copied().map(Duration::from_millis))
    }
}

/// `{ok, TRef}` of `timer`
#[derive(Debug)]
pub struct IntervalStarted;

impl FunctionResult for IntervalStarted {
    type Output = Interval;

    fn read<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<Interval, DecodeError> {
        let begun = OkWith::<Interval, Term>::read(value, reader)?;
        begun.map_err(|reason| DecodeError::expected_text("{ok, timer:tref()}", &reason))
    }
}
