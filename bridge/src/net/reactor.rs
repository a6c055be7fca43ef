//! The reactor: it finds out which sockets of a process are ready.
//!
//! A process with sockets has a poll of the operating system (epoll, kqueue). Between the turns of
//! its tasks, it polls all of its sockets at once. When none of its tasks is runnable, the VM
//! watches the poll itself, which becomes readable when a socket is ready. Then the VM sends the
//! process a single message for all sockets that have become ready by then.

use std::any::Any;
use std::io;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use mio::event::Source;
use mio::{Interest, Token};

use super::slots::{Direction, Slots};
use crate::nif::Watched;
use crate::runtime::{Cx, protocol};
use crate::tasks::{Events, Local, LocalCell, Waiter};

/// The number of events that are taken from the operating system at once.
const BATCH: usize = 256;

/// The sockets of a process, and their waiters.
pub(super) struct Reactor {
    watched: Watched,
    polled: LocalCell<Polled>,
}

struct Polled {
    poll: mio::Poll,
    events: mio::Events,
    slots: Slots,
    /// The wakers to wake after a turn. They run user code. Empty between turns.
    others: Vec<Waker>,
}

impl Reactor {
    /// Returns the reactor of the process that runs this call.
    pub(super) fn of(cx: &Cx<'_>) -> io::Result<Arc<Self>> {
        let executor = cx.tasks();
        let process = cx.process().ok_or_else(without_vm)?;
        let local = executor.here().ok_or_else(elsewhere)?;
        local.events(|| {
            let poll = mio::Poll::new()?;
            // The VM uses its descriptor for a moment after this one is closed.
            let descriptor = poll.registry().try_clone()?;
            let watched = Watched::new(descriptor, process).ok_or_else(without_vm)?;
            let polled = Polled {
                poll,
                events: mio::Events::with_capacity(BATCH),
                slots: Slots::default(),
                others: Vec::new(),
            };
            Ok(Arc::new(Reactor {
                watched,
                polled: LocalCell::new(executor, polled),
            }))
        })
    }

    fn with<R>(&self, body: impl FnOnce(&mut Polled) -> R) -> io::Result<R> {
        self.polled.try_with(body).map_err(|_| elsewhere())
    }

    /// Registers a socket, so that its events are received.
    pub(super) fn add(&self, socket: &mut impl Source) -> io::Result<Token> {
        self.with(|polled| {
            let token = polled.slots.take();
            let both = Interest::READABLE | Interest::WRITABLE;
            let registered = polled.poll.registry().register(socket, token, both);
            if registered.is_err() {
                polled.slots.give_back(token);
            }
            registered.map(|()| token)
        })?
    }

    /// Deregisters a socket that leaves the process.
    pub(super) fn remove(&self, socket: &mut impl Source) -> io::Result<()> {
        self.with(|polled| polled.poll.registry().deregister(socket))?
    }

    /// Frees the slot of a socket that is closed or has left the process.
    pub(super) fn forget(self: &Arc<Self>, token: Token) {
        if self.with(|polled| polled.slots.give_back(token)).is_err() {
            let reactor = Arc::clone(self);
            self.polled.executor().in_process(move || {
                // In its process, outside of any other use of the reactor, this does not fail.
                let _ = reactor.with(|polled| polled.slots.give_back(token));
            });
        }
    }

    /// Returns whether the socket is ready. If not, registers the polling task to be woken when it
    /// is.
    pub(super) fn poll_ready(
        &self,
        token: Token,
        direction: Direction,
        context: &Context<'_>,
    ) -> Poll<io::Result<()>> {
        let waiter = || Waiter::of(context, self.polled.executor());
        match self.with(|polled| polled.slots.poll_ready(token, direction, waiter)) {
            Ok(true) => Poll::Ready(Ok(())),
            Ok(false) => Poll::Pending,
            Err(error) => Poll::Ready(Err(error)),
        }
    }

    /// Records that the operating system has reported the socket as not ready.
    pub(super) fn not_ready(&self, token: Token, direction: Direction) {
        // An error means that this is not a call of its process, where no task waits.
        let _ = self.with(|polled| polled.slots.not_ready(token, direction));
    }
}

impl Events for Reactor {
    fn turn(&self, local: &Local) {
        let others = self.with(|polled| polled.turn(local));
        others.into_iter().flatten().for_each(Waker::wake);
    }

    fn rest(&self) -> bool {
        let is_awaited = self.with(|polled| polled.slots.is_awaited());
        !is_awaited.unwrap_or(false) || self.watched.tell_once(&protocol::wake()).is_ok()
    }

    fn any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}

impl Polled {
    /// Wakes the tasks, and returns the other wakers.
    fn turn(&mut self, local: &Local) -> Vec<Waker> {
        if !self.slots.is_awaited() {
            return Vec::new();
        }
        loop {
            // An interrupted poll returns no events, and is repeated in the next turn.
            if self
                .poll
                .poll(&mut self.events, Some(Duration::ZERO))
                .is_err()
            {
                break;
            }
            let mut count = 0;
            for event in &self.events {
                count += 1;
                let woken = |waiter| match waiter {
                    Waiter::Nobody => {}
                    Waiter::Task(id) => local.wake(id),
                    Waiter::Other(waker) => self.others.push(*waker),
                };
                self.slots.happened(event, woken);
            }
            if count < BATCH {
                break;
            }
        }
        std::mem::take(&mut self.others)
    }
}

fn elsewhere() -> io::Error {
    io::Error::other("a socket is used in calls of the process that it belongs to")
}

fn without_vm() -> io::Error {
    let text = "sockets need a VM: test them under `#[otp_bridge::test]`";
    io::Error::new(io::ErrorKind::Unsupported, text)
}
