//! Which sockets of a process are ready.
//!
//! A process that has sockets has a poll of the operating system's (epoll, kqueue). It asks it
//! between the turns of its tasks, for all of its sockets at once. When none of its tasks can go
//! on, the VM watches the poll itself, which can be read when a socket is ready, and sends the
//! process one message for all that has become ready by then.

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

/// So many events are taken from the operating system at once.
const BATCH: usize = 256;

/// The sockets of a process, and who waits for them.
pub(super) struct Reactor {
    watched: Watched,
    polled: LocalCell<Polled>,
}

struct Polled {
    poll: mio::Poll,
    events: mio::Events,
    slots: Slots,
    /// Who is to be woken by code of its own: empty between turns.
    others: Vec<Waker>,
}

impl Reactor {
    /// The one of the process whose call this is.
    pub(super) fn of(cx: &Cx<'_>) -> io::Result<Arc<Self>> {
        let executor = cx.tasks();
        let process = cx.process().ok_or_else(without_vm)?;
        let local = executor.here().ok_or_else(elsewhere)?;
        local.events(|| {
            let poll = mio::Poll::new()?;
            // The VM goes on to use its descriptor for a moment after this one is closed.
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

    /// From now on it is known when the socket becomes ready.
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

    /// The socket goes to somebody else.
    pub(super) fn remove(&self, socket: &mut impl Source) -> io::Result<()> {
        self.with(|polled| polled.poll.registry().deregister(socket))?
    }

    /// The socket is closed or has gone: its slot is free.
    pub(super) fn forget(self: &Arc<Self>, token: Token) {
        if self.with(|polled| polled.slots.give_back(token)).is_err() {
            let reactor = Arc::clone(self);
            self.polled.executor().in_process(move || {
                // In its process, and in no other use of it, this does not fail.
                let _ = reactor.with(|polled| polled.slots.give_back(token));
            });
        }
    }

    /// Whether something may be done with the socket. If not, whoever polls is woken when it may.
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

    /// The operating system has said that the socket is not ready.
    pub(super) fn not_ready(&self, token: Token, direction: Direction) {
        // Elsewhere than in its process, nobody waits.
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
    /// Wakes the tasks, and gives back the wakers of others.
    fn turn(&mut self, local: &Local) -> Vec<Waker> {
        if !self.slots.is_awaited() {
            return Vec::new();
        }
        loop {
            // An interrupted poll has found nothing, and is asked again in the next turn.
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
