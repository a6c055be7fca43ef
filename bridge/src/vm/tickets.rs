//! Which of a callback's operations is under way: one at a time.

use std::cell::Cell;

/// Names the operation under way, so that of several futures only the right one takes the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ticket(u64);

/// Which operation is under way.
#[derive(Debug, Default, Clone)]
pub(crate) struct Tickets {
    last: Cell<u64>,
    waiting: Cell<Option<u64>>,
}

impl Tickets {
    pub(crate) fn issue(&self) -> Option<Ticket> {
        if self.waiting.get().is_some() {
            return None;
        }
        let next = self.last.get() + 1;
        self.last.set(next);
        self.waiting.set(Some(next));
        Some(Ticket(next))
    }

    pub(crate) fn redeem(&self, ticket: Ticket) -> bool {
        let mine = self.waiting.get() == Some(ticket.0);
        if mine {
            self.waiting.set(None);
        }
        mine
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_operation_is_under_way_and_only_its_future_takes_the_answer() {
        let tickets = Tickets::default();
        let first = tickets.issue().expect("none is under way");
        assert_eq!(tickets.issue(), None, "one is");
        assert!(tickets.redeem(first));
        assert!(!tickets.redeem(first), "an answer is taken once");
        let second = tickets.issue().expect("none is under way");
        assert!(
            !tickets.redeem(first),
            "not by a future that has had its own"
        );
        assert!(tickets.redeem(second));
    }
}
