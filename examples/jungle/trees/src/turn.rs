//! Turns: processes that change a tree with an Erlang function take turns, in the order of their
//! requests. Waiting is asynchronous, and blocks no thread.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use otp_bridge::Pid;

use crate::error::{Error, Result};

/// The process that has the turn, and those that wait.
#[derive(Debug, Default)]
pub struct Turns {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    next: u64,
    /// The first process in the queue has the turn.
    waiting: VecDeque<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    number: u64,
    owner: Pid,
    waker: Option<Waker>,
}

/// Future of a turn. Dropping it gives up the place in the queue.
#[derive(Debug)]
pub struct Take {
    turns: Arc<Turns>,
    number: Option<u64>,
}

/// The turn. Dropping it passes the turn to the next process.
#[derive(Debug)]
pub struct Turn {
    turns: Arc<Turns>,
    number: u64,
}

impl Take {
    pub(crate) fn new(turns: Arc<Turns>, owner: Pid) -> Result<Self> {
        let mut state = turns.lock();
        if state.waiting.iter().any(|waiting| waiting.owner == owner) {
            return Err(Error::Nested);
        }
        let number = state.next;
        state.next += 1;
        state.waiting.push_back(Waiting {
            number,
            owner,
            waker: None,
        });
        drop(state);
        Ok(Take {
            turns,
            number: Some(number),
        })
    }
}

impl Future for Take {
    type Output = Turn;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Turn> {
        let turns = self.turns.clone();
        let mut state = turns.lock();
        let Some(number) = self.number else {
            return Poll::Pending;
        };
        if state
            .waiting
            .front()
            .is_some_and(|first| first.number == number)
        {
            drop(state);
            self.number = None;
            return Poll::Ready(Turn { turns, number });
        }
        let own = state.waiting.iter_mut().find(|it| it.number == number);
        if let Some(own) = own {
            own.waker = Some(context.waker().clone());
        }
        Poll::Pending
    }
}

impl Drop for Take {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            self.turns.leave(number);
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.leave(self.number);
    }
}

impl Turns {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the process that has the turn.
    pub(crate) fn owner(&self) -> Option<Pid> {
        self.lock().waiting.front().map(|first| first.owner.clone())
    }

    fn leave(&self, number: u64) {
        let mut state = self.lock();
        state.waiting.retain(|it| it.number != number);
        let next = state.waiting.front_mut();
        let waker = next.and_then(|next| next.waker.take());
        drop(state);
        waker.into_iter().for_each(Waker::wake);
    }
}

#[cfg(test)]
mod tests {
    use otp_bridge::atom;
    use otp_bridge::term::PidParts;

    use super::*;

    fn process(id: u32) -> Pid {
        Pid::from_parts(PidParts {
            node: atom!("node@host"),
            id,
            serial: 0,
            creation: 1,
        })
    }

    fn poll(take: &mut Take) -> Poll<Turn> {
        Pin::new(take).poll(&mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn turns_come_in_their_order_also_when_somebody_does_not_wait_any_more() {
        let turns = Arc::new(Turns::default());
        let owners = std::cell::Cell::new(0);
        let take = || {
            owners.set(owners.get() + 1);
            Take::new(turns.clone(), process(owners.get())).expect("it has no turn")
        };
        let (mut first, mut second, mut third) = (take(), take(), take());
        assert!(poll(&mut second).is_pending());
        let Poll::Ready(turn) = poll(&mut first) else {
            panic!("nobody was before it");
        };
        assert!(poll(&mut third).is_pending());
        drop(second);
        assert!(poll(&mut third).is_pending());
        assert_eq!(turns.owner(), Some(process(1)));
        assert_eq!(
            Take::new(turns.clone(), process(1)).err(),
            Some(Error::Nested)
        );
        drop(turn);
        assert!(poll(&mut third).is_ready());
        assert!(poll(&mut take()).is_ready());
    }
}
