//! A server that awaits futures other than operations.
use std::future::{Future, pending, poll_fn};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

use crate::gate::{Gate, Patience};

/// Messages that no callback waited for.
#[derive(Debug)]
pub struct Patient {
    seen: Vec<Term>,
}

/// Requests.
#[derive(Debug, Term)]
#[reply(Term)]
pub enum Do {
    /// `seen`: returns the messages.
    Seen,
    /// `never`: awaits a future that is never woken.
    Never,
    /// `never_beside`: awaits a future that is not woken any more after the other operation has
    /// ended.
    NeverBeside,
    /// `{thread, Gate}`: awaits a future that a thread wakes when the gate opens.
    Thread(Gate),
    /// `{beside_a_sleep, Gate}`: like `Thread`, concurrently with a sleep of an hour.
    BesideASleep(Gate),
    /// `{too_late, Gate}`: a thread wakes the future long after the future's end, and then sends
    /// `woken`.
    TooLate(Gate),
}

/// `{open, Gate}`
#[derive(Debug, Term)]
pub struct Open(pub Gate);

#[gen_server]
impl GenServer for Patient {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Patient { seen: Vec::new() })
    }

    async fn handle_call(&mut self, request: Do, cx: &Cx<'_>) -> Result<HandleCall<Term>> {
        match request {
            Do::Seen => return reply(Term::of(&self.seen)),
            Do::Never => pending().await,
            Do::NeverBeside => {
                let forever = pending::<Result<()>>();
                otp_bridge::join!(cx.sleep(Duration::from_millis(1)), forever)
                    .await
                    .0?;
            }
            Do::Thread(gate) => Signal::after(gate, || {}).received().await,
            Do::BesideASleep(gate) => {
                let signal = Signal::after(gate, || {});
                let received = async {
                    signal.received().await;
                    Ok(())
                };
                otp_bridge::race(received, cx.sleep(Duration::from_secs(3600))).await?;
            }
            Do::TooLate(gate) => {
                let sender = cx.sender::<Atom>();
                let signal = Signal::after(gate, move || sender.send(atom!("woken")));
                let mut received = std::pin::pin!(signal.received());
                poll_fn(|context| {
                    assert!(received.as_mut().poll(context).is_pending());
                    Poll::Ready(())
                })
                .await;
            }
        }
        reply(Term::of(&ok))
    }

    fn handle_cast(&self, Open(gate): Open) -> HandleCast {
        gate.open();
        noreply()
    }

    fn handle_info(&mut self, message: Term) -> HandleInfo {
        self.seen.push(message);
        noreply()
    }
}

/// A flag with which a thread tells a future that it has finished.
#[derive(Debug, Clone, Default)]
struct Signal(Arc<Mutex<(bool, Option<Waker>)>>);

impl Signal {
    /// Starts a thread that waits for the gate, signals, and then calls `then`.
    fn after(gate: Gate, then: impl FnOnce() + Send + 'static) -> Self {
        let signal = Signal::default();
        let own = signal.clone();
        std::thread::spawn(move || {
            let patience = Patience::new();
            while !gate.is_open() && !patience.is_over() {
                std::thread::sleep(Duration::from_millis(1));
            }
            let waker = {
                let mut inner = own.0.lock().unwrap_or_else(PoisonError::into_inner);
                inner.0 = true;
                inner.1.take()
            };
            if let Some(waker) = waker {
                waker.wake();
            }
            then();
        });
        signal
    }

    async fn received(&self) {
        poll_fn(|context| self.poll(context)).await;
    }

    fn poll(&self, context: &Context<'_>) -> Poll<()> {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if inner.0 {
            return Poll::Ready(());
        }
        inner.1 = Some(context.waker().clone());
        Poll::Pending
    }
}
