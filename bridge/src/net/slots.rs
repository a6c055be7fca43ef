//! The state of each socket: its readiness, and its waiters.

use std::mem::take;

use mio::Token;
use mio::event::Event;

use crate::tasks::Waiter;

/// The operation that a waiter waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Read,
    Write,
}

/// The slots of the process's sockets, by their tokens.
#[derive(Default)]
pub(super) struct Slots {
    slots: Vec<Slot>,
    free: Vec<Token>,
    /// The number of waiters.
    waiting: usize,
}

#[derive(Default)]
struct Slot {
    read: Side,
    write: Side,
}

#[derive(Default)]
struct Side {
    is_ready: bool,
    /// Whether the direction is closed: then it stays ready.
    is_closed: bool,
    first: Waiter,
    /// Usually there is only one waiter.
    #[expect(
        clippy::box_collection,
        reason = "a connection that waits is to be small, and most have no other waiter"
    )]
    others: Option<Box<Vec<Waiter>>>,
}

impl Slots {
    /// Takes a slot for a new socket. A socket counts as writable until a write has to wait.
    pub(super) fn take(&mut self) -> Token {
        let slot = Slot {
            write: Side {
                is_ready: true,
                ..Side::default()
            },
            ..Slot::default()
        };
        if let Some(token) = self.free.pop() {
            self.slots[token.0] = slot;
            return token;
        }
        self.slots.push(slot);
        Token(self.slots.len() - 1)
    }

    /// Frees the slot of a closed socket, and drops its waiters.
    pub(super) fn give_back(&mut self, token: Token) {
        let Some(slot) = self.slots.get_mut(token.0) else {
            return;
        };
        let slot = take(slot);
        self.waiting -= slot.read.count() + slot.write.count();
        self.free.push(token);
    }

    /// Returns whether there are any waiters.
    pub(super) fn is_awaited(&self) -> bool {
        self.waiting > 0
    }

    /// Returns whether the socket is ready. If not, adds the waiter.
    pub(super) fn poll_ready(
        &mut self,
        token: Token,
        direction: Direction,
        waiter: impl FnOnce() -> Waiter,
    ) -> bool {
        let Some(side) = self.side(token, direction) else {
            return true;
        };
        if side.is_ready {
            return true;
        }
        let is_new = side.wait(waiter());
        self.waiting += usize::from(is_new);
        false
    }

    pub(super) fn not_ready(&mut self, token: Token, direction: Direction) {
        if let Some(side) = self.side(token, direction) {
            side.is_ready = side.is_closed;
        }
    }

    fn side(&mut self, token: Token, direction: Direction) -> Option<&mut Side> {
        let slot = self.slots.get_mut(token.0)?;
        Some(match direction {
            Direction::Read => &mut slot.read,
            Direction::Write => &mut slot.write,
        })
    }

    /// Handles an event of the operating system. A late event of a closed socket does no harm: the
    /// next owner of the slot tries its operation, and waits again.
    pub(super) fn happened(&mut self, event: &Event, mut woken: impl FnMut(Waiter)) {
        let Some(slot) = self.slots.get_mut(event.token().0) else {
            return;
        };
        let failed = event.is_error();
        if event.is_readable() || event.is_read_closed() || failed {
            let is_closed = event.is_read_closed() || failed;
            self.waiting -= slot.read.ready(is_closed, &mut woken);
        }
        if event.is_writable() || event.is_write_closed() || failed {
            let is_closed = event.is_write_closed() || failed;
            self.waiting -= slot.write.ready(is_closed, &mut woken);
        }
    }
}

impl Side {
    fn count(&self) -> usize {
        let first = usize::from(!matches!(self.first, Waiter::Nobody));
        first + self.others.as_ref().map_or(0, |others| others.len())
    }

    /// Adds a waiter. Returns whether it was not waiting before.
    fn wait(&mut self, waiter: Waiter) -> bool {
        let others = self.others.iter().flat_map(|others| others.iter());
        if std::iter::once(&self.first)
            .chain(others)
            .any(|it| it.is(&waiter))
        {
            return false;
        }
        match self.first {
            Waiter::Nobody => self.first = waiter,
            _ => self.others.get_or_insert_default().push(waiter),
        }
        true
    }

    /// Marks the side as ready. Returns how many waiters were woken.
    fn ready(&mut self, is_closed: bool, woken: &mut impl FnMut(Waiter)) -> usize {
        self.is_ready = true;
        self.is_closed |= is_closed;
        let count = self.count();
        woken(take(&mut self.first));
        self.others
            .take()
            .into_iter()
            .flat_map(|it| *it)
            .for_each(woken);
        count
    }
}
