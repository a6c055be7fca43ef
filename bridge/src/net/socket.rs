//! A socket in the reactor of its process.

use std::fmt;
use std::future::poll_fn;
use std::io;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use mio::Token;
use mio::event::Source;

use super::reactor::Reactor;
use super::slots::Direction;
use crate::runtime::Cx;

/// A socket of mio, and its slot in the reactor.
pub(super) struct MioSocket<S> {
    socket: S,
    slot: Registration,
}

/// Frees the slot when the socket has been closed.
struct Registration {
    token: Token,
    reactor: Arc<Reactor>,
}

impl Drop for Registration {
    fn drop(&mut self) {
        self.reactor.forget(self.token);
    }
}

impl<S: Source> MioSocket<S> {
    /// Adds the socket to the process that runs this call.
    pub(super) fn of(cx: &Cx<'_>, socket: S) -> io::Result<Self> {
        Self::add(Reactor::of(cx)?, socket)
    }

    /// Adds a socket to the process that this one belongs to.
    pub(super) fn beside<T: Source>(&self, socket: T) -> io::Result<MioSocket<T>> {
        MioSocket::add(Arc::clone(&self.slot.reactor), socket)
    }

    fn add(reactor: Arc<Reactor>, mut socket: S) -> io::Result<Self> {
        let token = reactor.add(&mut socket)?;
        let slot = Registration { token, reactor };
        Ok(MioSocket { socket, slot })
    }

    /// Removes the socket from the process, and returns it.
    pub(super) fn leave(mut self) -> io::Result<S> {
        self.slot.reactor.remove(&mut self.socket)?;
        Ok(self.socket)
    }
}

impl<S> MioSocket<S> {
    pub(super) fn get(&self) -> &S {
        &self.socket
    }

    /// Waits until the socket is ready.
    pub(super) async fn ready(&self, direction: Direction) -> io::Result<()> {
        poll_fn(|context| self.poll_ready(direction, context)).await
    }

    pub(super) fn poll_ready(
        &self,
        direction: Direction,
        context: &Context<'_>,
    ) -> Poll<io::Result<()>> {
        let Registration { token, reactor } = &self.slot;
        reactor.poll_ready(*token, direction, context)
    }

    /// Calls an operation of the socket. If the operation would block, the socket is marked as not
    /// ready.
    pub(super) fn try_do<R>(
        &self,
        direction: Direction,
        mut action: impl FnMut(&S) -> io::Result<R>,
    ) -> io::Result<R> {
        loop {
            let done = action(&self.socket);
            match &done {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.drained(direction);
                }
                _ => {}
            }
            return done;
        }
    }

    /// Marks the socket as not ready, because an operation was incomplete: the next event will
    /// report more.
    pub(super) fn drained(&self, direction: Direction) {
        self.slot.reactor.not_ready(self.slot.token, direction);
    }

    /// Calls an operation of the socket as soon as the socket is ready.
    pub(super) fn poll_do<R>(
        &self,
        direction: Direction,
        context: &Context<'_>,
        mut action: impl FnMut(&S) -> io::Result<R>,
    ) -> Poll<io::Result<R>> {
        loop {
            ready!(self.poll_ready(direction, context))?;
            match self.try_do(direction, &mut action) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                done => return Poll::Ready(done),
            }
        }
    }

    /// Calls an operation of the socket as soon as the socket is ready, as a future.
    pub(super) async fn done<R>(
        &self,
        direction: Direction,
        mut action: impl FnMut(&S) -> io::Result<R>,
    ) -> io::Result<R> {
        poll_fn(|context| self.poll_do(direction, context, &mut action)).await
    }
}

impl<S: fmt::Debug> fmt::Debug for MioSocket<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.socket.fmt(f)
    }
}
