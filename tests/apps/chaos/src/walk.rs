//! The operations that victims await.
use std::time::{Duration, Instant};

use otp_bridge::gen_server::prelude::*;
use otp_bridge::{Result, atom, join, try_join};

use crate::clerk::{Clerk, Echo, Never};

const HOUR: Duration = Duration::from_secs(3600);
/// Duration of work that does not yield. It is short, because it cannot be interrupted.
const STUBBORN: Duration = Duration::from_millis(3);

/// An operation to await.
#[derive(Debug, Clone, Copy, Term)]
pub enum Operation {
    /// A call to a server.
    Call,
    /// A function of OTP.
    Apply,
    /// A function in a process of its own, concurrently with a sleep.
    ApplyBeside,
    /// A timer.
    Sleep,
    /// A message to itself.
    Receive,
    /// The result of a task in another process.
    Task,
    /// Work on a dirty CPU scheduler.
    Dirty,
    /// Work on a dirty IO scheduler.
    Blocking,
    /// A checkpoint, which yields if the timeslice is used up.
    Checkpoint,
    /// A yield.
    Yield,
    /// A call, a sleep and a task concurrently.
    Join,
    /// A call with a time limit.
    Timeout,
}

/// `{note, Number}`: a victim's message to itself.
#[derive(Debug, Term)]
struct Note(u64);

/// `{no_note, Number}`: a message that is never sent.
#[derive(Debug, Term)]
struct NoNote(u64);

fn clerk() -> Server<Clerk> {
    Server::registered()
}

impl Operation {
    /// Awaits the operation, which is short.
    ///
    /// # Errors
    /// Those of the operation.
    pub async fn run(self, number: u64, cx: &Cx<'_>) -> Result<u64> {
        let clerk = clerk();
        match self {
            Operation::Call => cx.call(&clerk, Echo(number)).await,
            Operation::Apply => cx.apply("erlang", "abs", (number,)).await,
            Operation::ApplyBeside => {
                let function = cx.apply::<u64, _>("erlang", "abs", (number,));
                try_join!(function, cx.sleep(Duration::ZERO))
                    .await
                    .map(|(value, ())| value)
            }
            Operation::Sleep => cx.sleep(Duration::from_millis(1)).await.map(|()| number),
            Operation::Receive => {
                cx.send(&cx.pid(), Note(number));
                cx.receive().await.map(|Note(value)| value)
            }
            Operation::Task => cx.in_process(async move |_| Ok(number)).await,
            Operation::Dirty => Ok(cx.dirty(|| number).await),
            Operation::Blocking => Ok(cx.blocking(|| number).await),
            Operation::Checkpoint => {
                cx.checkpoint().await;
                Ok(number)
            }
            Operation::Yield => {
                cx.yield_now().await;
                Ok(number)
            }
            Operation::Join => {
                let task = cx.in_process(async move |_| Ok(number));
                let sleep = cx.sleep(Duration::from_millis(1));
                let (value, slept, other) = join!(cx.call(&clerk, Echo(number)), sleep, task).await;
                slept?;
                assert_eq!(value?, other?);
                Ok(number)
            }
            Operation::Timeout => {
                let waiting = cx.timeout(Duration::from_millis(1), cx.call(&clerk, Never));
                match waiting.await {
                    Ok(reply) => Err(Exit::new(Term::of(&(atom!("replied"), reply?)))),
                    Err(_) => Ok(number),
                }
            }
        }
    }

    /// Awaits the operation until the process is terminated. Work that cannot be interrupted is
    /// repeated.
    ///
    /// # Errors
    /// Those of the operation.
    pub async fn hold(self, cx: &Cx<'_>) -> Result<u64> {
        let clerk = clerk();
        match self {
            Operation::Call => cx.call_within(&clerk, Never, HOUR).await,
            Operation::Apply => {
                let forever = ("timer", "sleep", (atom!("infinity"),));
                cx.apply::<Atom, _>(forever.0, forever.1, forever.2).await?;
                Ok(0)
            }
            Operation::ApplyBeside => {
                let forever = cx.apply::<Atom, _>("timer", "sleep", (atom!("infinity"),));
                let (ended, slept) = join!(forever, cx.sleep(HOUR)).await;
                slept?;
                ended.map(|_| 0)
            }
            Operation::Sleep => cx.sleep(HOUR).await.map(|()| 0),
            Operation::Receive => cx.receive::<NoNote>().await.map(|_| 0),
            Operation::Task => {
                let task = async |cx: &Cx<'_>| cx.sleep(HOUR).await;
                cx.in_process(task).await.map(|()| 0)
            }
            Operation::Dirty => loop {
                cx.dirty(stubborn).await;
            },
            Operation::Blocking => loop {
                cx.blocking(stubborn).await;
            },
            Operation::Checkpoint => loop {
                cx.checkpoint().await;
            },
            Operation::Yield => loop {
                cx.yield_now().await;
            },
            Operation::Join => {
                let task = cx.in_process(async |cx: &Cx<'_>| cx.sleep(HOUR).await);
                let call = cx.call_within(&clerk, Never, HOUR);
                let (value, slept, other) = join!(call, cx.sleep(HOUR), task).await;
                slept?;
                other?;
                value
            }
            Operation::Timeout => {
                let waiting = cx.timeout(HOUR, cx.call_within(&clerk, Never, HOUR));
                waiting.await.unwrap_or(Ok(0))
            }
        }
    }
}

fn stubborn() {
    let began = Instant::now();
    while began.elapsed() < STUBBORN {
        std::hint::spin_loop();
    }
}
