//! A server with timers.
use std::time::Duration;

use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::{Timeout, TimerTimeout};
use otp_bridge::time::{Interval, Timer};

/// The received messages.
#[derive(Debug)]
pub struct Ticker {
    timers: Vec<Timer>,
    intervals: Vec<Interval>,
    seen: Vec<Term>,
}

/// Requests.
#[derive(Debug, Term)]
#[reply(Term)]
pub enum Do {
    /// `seen`: returns them.
    Seen,
    /// `{send_after, Milliseconds}`: starts a timer that can be cancelled.
    SendAfter(u64),
    /// `{plain, Milliseconds}`: starts a timer and drops its handle.
    Plain(u64),
    /// `{start_timer, Milliseconds}`
    StartTimer(u64),
    /// `{cancel, Index}`: cancels a timer. Returns whether it was still running.
    Cancel(usize),
    /// `fired`: cancels a timer after it has expired, when its message is in the mailbox.
    Fired,
    /// `{interval, Milliseconds}`
    Interval(u64),
    /// `cancel_interval`
    CancelInterval,
    /// `idle`: sets a time limit for the next message.
    Idle,
}

#[gen_server]
impl GenServer for Ticker {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        let ticker = Ticker {
            timers: Vec::new(),
            intervals: Vec::new(),
            seen: Vec::new(),
        };
        (ok, ticker)
    }

    async fn handle_call(&mut self, request: Do, cx: &Cx<'_>) -> Result<HandleCall<Term>> {
        reply(match request {
            Do::Seen => Term::of(&std::mem::take(&mut self.seen)),
            Do::SendAfter(time) => {
                let timer = cx
                    .send_after(Duration::from_millis(time), atom!("sent"))
                    .await?;
                self.keep(timer)
            }
            Do::Plain(time) => {
                cx.send_after(Duration::from_millis(time), atom!("plain"));
                Term::of(&ok)
            }
            Do::StartTimer(time) => {
                let started = cx.start_timer(Duration::from_millis(time), atom!("started"));
                let timer = started.await?;
                self.keep(timer)
            }
            Do::Cancel(index) => {
                let left = cx.cancel_timer(&self.timers[index]).await?;
                let is_less = left.map(|left| left <= Duration::from_secs(60));
                Term::of(&is_less)
            }
            Do::Fired => {
                let timer = cx.start_timer(Duration::ZERO, atom!("fired")).await?;
                cx.sleep(Duration::from_millis(20)).await?;
                let left = cx.cancel_timer(&timer).await?;
                Term::of(&left.is_none())
            }
            Do::Interval(time) => {
                let begun = cx.send_interval(Duration::from_millis(time), atom!("again"));
                self.intervals.push(begun.await?);
                Term::of(&ok)
            }
            Do::CancelInterval => {
                for interval in self.intervals.drain(..) {
                    cx.cancel_interval(&interval).await?;
                }
                Term::of(&ok)
            }
            Do::Idle => return reply_with(Term::of(&ok), Duration::from_millis(1)),
        })
    }

    fn handle_info(&mut self, timeout: TimerTimeout<Atom>) -> HandleInfo {
        let index = self.timers.iter().position(|timer| timer.is(&timeout));
        self.seen.push(Term::of(&(timeout.message, index)));
        noreply()
    }

    fn handle_info(&mut self, _: Timeout) -> HandleInfo {
        self.seen.push(Term::of(&atom!("idle")));
        noreply()
    }

    fn handle_info(&mut self, message: Atom) -> HandleInfo {
        self.seen.push(Term::of(&message));
        noreply()
    }
}

impl Ticker {
    fn keep(&mut self, timer: Timer) -> Term {
        self.timers.push(timer);
        Term::of(&(self.timers.len() - 1))
    }
}
