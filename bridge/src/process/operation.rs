//! Operations that a callback awaits. The library returns to the generated Erlang module, which
//! performs the operation in the process itself and resumes the future with its outcome.

use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use super::{Arguments, Exit};
use crate::behaviour::gen_server::ServerRef;
use crate::vm::{Ticket, exchange, messages};
use crate::{Atom, AtomTooLong, FromTerm, Heap, Pid, ToTerm, View, protocol};

/// Something that the generated Erlang module can do for a callback.
pub trait Operation {
    /// What it yields.
    type Output;

    /// Does it without the Erlang side, where that is possible.
    fn at_once(&self) -> Option<Result<Self::Output, Exit>> {
        None
    }

    /// The request, as the Erlang side matches it: `{sleep, Milliseconds}`.
    fn request<H: Heap>(&self, heap: H) -> H::Term;

    /// Reads the answer: the value of `{ok, Value}`.
    ///
    /// # Errors
    /// The value is not of the expected type.
    fn answer<'a, V: View<'a>>(value: V) -> Result<Self::Output, Exit>;
}

/// A future that waits for an [`Operation`]. It can only be awaited in a callback of this crate.
#[must_use = "an operation does nothing until it is awaited"]
#[derive(Debug)]
pub struct Await<O> {
    operation: O,
    state: State,
}

#[derive(Debug)]
enum State {
    Idle,
    Waiting(Ticket),
    Done,
}

impl<O> Await<O> {
    pub(crate) fn new(operation: O) -> Self {
        Await {
            operation,
            state: State::Idle,
        }
    }
}

// What an operation holds is read, never polled in its place.
impl<O> Unpin for Await<O> {}

impl<O: Operation> Future for Await<O> {
    type Output = Result<O::Output, Exit>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        match self.state {
            State::Idle => {
                if let Some(output) = self.operation.at_once() {
                    self.state = State::Done;
                    return Poll::Ready(output);
                }
                // One operation is under way at a time; a sibling (of a `join`) asks again when
                // the first has its answer.
                if let Some(ticket) = exchange::request(&self.operation) {
                    self.state = State::Waiting(ticket);
                }
                Poll::Pending
            }
            State::Waiting(ticket) => {
                let answer = exchange::answer::<O>(ticket);
                if answer.is_ready() {
                    self.state = State::Done;
                }
                answer
            }
            State::Done => panic!("an operation was polled after it had ended"),
        }
    }
}

impl<O> Drop for Await<O> {
    /// One that is dropped while it waits, as the loser of a race, must not keep others waiting.
    fn drop(&mut self) {
        if let State::Waiting(ticket) = self.state {
            exchange::give_up(ticket);
        }
    }
}

/// `erlang:apply/3`, its result read as `T`.
#[derive(Debug)]
pub struct Apply<A, T> {
    /// Module and function; the error is answered when it is awaited.
    pub(crate) function: Result<(Atom, Atom), AtomTooLong>,
    pub(crate) arguments: A,
    pub(crate) result: PhantomData<fn() -> T>,
}

impl<A: Arguments, T: FromTerm> Operation for Apply<A, T> {
    type Output = T;

    fn at_once(&self) -> Option<Result<T, Exit>> {
        let too_long = self.function.as_ref().err()?;
        Some(Err(Exit::error((protocol::badarg, too_long.to_string()))))
    }

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        let Ok((module, function)) = &self.function else {
            return protocol::yield_.to_term(heap);
        };
        let (module, function) = (heap.dynamic_atom(module), heap.dynamic_atom(function));
        let arguments = self.arguments.to_list(heap);
        heap.tuple([protocol::apply.to_term(heap), module, function, arguments])
    }

    fn answer<'a, V: View<'a>>(value: V) -> Result<T, Exit> {
        Ok(T::from_term(value)?)
    }
}

/// `receive after Milliseconds -> ok end`
#[derive(Debug)]
pub struct Sleep(pub(crate) Duration);

impl Operation for Sleep {
    type Output = ();

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        let milliseconds = self.0.as_nanos().div_ceil(1_000_000);
        // The longest `receive … after` takes is 2^32 - 1 milliseconds, 49 days.
        let milliseconds = u32::try_from(milliseconds).unwrap_or(u32::MAX);
        heap.tuple([protocol::sleep.to_term(heap), milliseconds.to_term(heap)])
    }

    fn answer<'a, V: View<'a>>(_: V) -> Result<(), Exit> {
        Ok(())
    }
}

/// `erlang:yield/0`
#[derive(Debug)]
pub struct Yield;

impl Operation for Yield {
    type Output = ();

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        protocol::yield_.to_term(heap)
    }

    fn answer<'a, V: View<'a>>(_: V) -> Result<(), Exit> {
        Ok(())
    }
}

/// `Pid ! Message`
#[derive(Debug)]
pub struct Send<M> {
    pub(crate) to: Pid,
    pub(crate) message: M,
}

impl<M: ToTerm> Operation for Send<M> {
    type Output = ();

    fn at_once(&self) -> Option<Result<(), Exit>> {
        messages::send_local(&ServerRef::Pid(self.to.clone()), &self.message).map(Ok)
    }

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        let arguments = heap.list([self.to.to_term(heap), self.message.to_term(heap)]);
        let (module, function) = (protocol::erlang.to_term(heap), protocol::send.to_term(heap));
        heap.tuple([protocol::apply.to_term(heap), module, function, arguments])
    }

    fn answer<'a, V: View<'a>>(_: V) -> Result<(), Exit> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use super::*;
    use crate::process::Cx;
    use crate::{Term, testing};

    async fn once<F: Future>(future: F) {
        let mut future = pin!(future);
        std::future::poll_fn(|context| {
            let _ = future.as_mut().poll(context);
            Poll::Ready(())
        })
        .await;
    }

    async fn given_up_at_once(cx: &Cx) -> Result<u64, Exit> {
        once(cx.sleep(Duration::from_secs(1))).await;
        cx.apply("m", "f", ()).await
    }

    /// The answer to the first is there when it is given up; it is not the second's.
    async fn given_up_with_its_answer(cx: &Cx) -> Result<u64, Exit> {
        let mut first = Some(cx.apply::<Term, _>("m", "first", ()));
        let mut second = cx.apply("m", "second", ());
        std::future::poll_fn(|context| {
            if let Some(waiting) = first.as_mut()
                && matches!(waiting.state, State::Idle)
            {
                assert!(Pin::new(waiting).poll(context).is_pending());
                return Poll::Pending;
            }
            first = None;
            if matches!(second.state, State::Idle) {
                assert!(Pin::new(&mut second).poll(context).is_pending());
            }
            Pin::new(&mut second).poll(context)
        })
        .await
    }

    #[test]
    fn an_operation_that_is_given_up_makes_room_for_the_next() {
        let mut asked = Vec::new();
        let mut answer = |operation: Term| {
            asked.push(operation.to_string());
            Ok(Term::of(&(asked.len() as u64)))
        };
        assert_eq!(testing::run(given_up_at_once, &mut answer), Ok(1));
        assert_eq!(testing::run(given_up_with_its_answer, &mut answer), Ok(3));
        assert_eq!(
            asked,
            [
                "{apply,m,f,[]}",
                "{apply,m,first,[]}",
                "{apply,m,second,[]}"
            ]
        );
    }
}
