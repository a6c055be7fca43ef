//! Waiting for a time: in a callback by a timer of the VM, in a task by the timer wheel that all
//! tasks of the process share.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use crate::process::SleepOperation as Operation;
use crate::runtime::{Await, Cx, Here, Result};
use crate::tasks::Pause;

/// A wait: see [`Cx::sleep`].
#[must_use = "a sleep does nothing until it is awaited: write `.await`"]
pub struct Sleep<'call> {
    cx: &'call Cx<'call>,
    time: Duration,
    progress: Progress<'call>,
}

enum Progress<'call> {
    Idle,
    /// In a callback. It is boxed because it is much larger than the other variant, and there may
    /// be a million values of this type.
    Operation(Box<Await<'call, (), Operation>>),
    /// In a task.
    Pause(Pause),
}

impl<'call> Sleep<'call> {
    pub(super) fn new(cx: &'call Cx<'call>, time: Duration) -> Self {
        Sleep {
            cx,
            time,
            progress: Progress::Idle,
        }
    }

    fn begin(&self) -> Progress<'call> {
        if let Here::Vm(call, _) = self.cx.here()
            && let Some(tasks) = call.tasks()
            && let Some(local) = tasks.here()
            && local.in_turn().is_some()
        {
            return Progress::Pause(Pause::start(tasks, local, self.time));
        }
        Progress::Operation(Box::new(Await::new(self.cx, Operation(self.time))))
    }
}

impl Future for Sleep<'_> {
    type Output = Result<()>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        if let Progress::Idle = self.progress {
            self.progress = self.begin();
        }
        match &mut self.progress {
            Progress::Operation(operation) => Pin::new(&mut **operation).poll(context),
            Progress::Pause(pause) => Pin::new(pause).poll(context).map(Ok),
            Progress::Idle => Poll::Pending,
        }
    }
}

impl fmt::Debug for Sleep<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sleep({:?})", self.time)
    }
}

impl Cx<'_> {
    /// Waits, like `receive after Time -> ok end`. Other processes run during the wait. The time is
    /// rounded up to milliseconds and is at most 49 days.
    ///
    /// # Errors
    /// None of its own.
    pub fn sleep(&self, time: Duration) -> Sleep<'_> {
        Sleep::new(self, time)
    }

    /// Ticks at regular intervals, for a loop of a task or a callback.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// # use std::time::Duration;
    /// # use otp_bridge::{Cx, Result, atom};
    /// async fn blink(cx: &Cx<'_>) -> Result<()> {
    ///     let mut ticks = cx.ticks(Duration::from_millis(500));
    ///     for _ in 0..10 {
    ///         ticks.next().await?;
    ///         cx.send(&atom!("led"), atom!("toggle"));
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn ticks(&self, period: Duration) -> Ticks<'_> {
        Ticks {
            cx: self,
            period,
            next: Instant::now() + period,
        }
    }
}

/// Regular ticks: see [`Cx::ticks`].
#[derive(Debug)]
pub struct Ticks<'call> {
    cx: &'call Cx<'call>,
    period: Duration,
    next: Instant,
}

impl Ticks<'_> {
    /// Waits for the next tick. If it is already due, this returns at once, and the missed ticks
    /// are skipped.
    ///
    /// # Errors
    /// None of its own.
    pub async fn next(&mut self) -> Result<()> {
        let now = Instant::now();
        if let Some(left) = self.next.checked_duration_since(now) {
            self.cx.sleep(left).await?;
            self.next += self.period;
            return Ok(());
        }
        let late = now.duration_since(self.next).as_nanos();
        let missed = late.checked_div(self.period.as_nanos()).unwrap_or(0);
        self.next += self.period * u32::try_from(missed + 1).unwrap_or(u32::MAX);
        Ok(())
    }
}
