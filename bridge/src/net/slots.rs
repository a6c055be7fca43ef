//! What is known of each socket: whether it is ready, and who waits.

use std::mem::take;

use mio::Token;
use mio::event::Event;

use crate::tasks::Waiter;

/// What somebody waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Read,
    Write,
}

/// One for each socket of the process, by its token.
#[derive(Default)]
pub(super) struct Slots {
    slots: Vec<Slot>,
    free: Vec<Token>,
    /// How many waiters there are.
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
    /// Whether nothing more will come: then it is ready for ever.
    is_closed: bool,
    first: Waiter,
    /// Mostly, one task waits.
    #[expect(
        clippy::box_collection,
        reason = "a connection that waits is to be small, and most have no other waiter"
    )]
    others: Option<Box<Vec<Waiter>>>,
}

impl Slots {
    /// A slot for a new socket, which can be written to before anything has happened.
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

    /// The socket is gone, and whoever waited for it.
    pub(super) fn give_back(&mut self, token: Token) {
        let Some(slot) = self.slots.get_mut(token.0) else {
            return;
        };
        let slot = take(slot);
        self.waiting -= slot.read.count() + slot.write.count();
        self.free.push(token);
    }

    /// Whether anybody waits.
    pub(super) fn is_awaited(&self) -> bool {
        self.waiting > 0
    }

    /// Whether the socket is ready. If not, the waiter waits.
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

    /// An event of the operating system. One that is late, of a socket that was closed, does no
    /// harm: the next one who has its slot tries, and waits again.
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

    /// Returns whether it did not wait before.
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

    /// Returns how many were woken.
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
