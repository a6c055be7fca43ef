//! Operations that a callback awaits. The NIF returns to the generated Erlang module. This performs
//! the operations in the process itself and resumes the future with their outcomes.
#![allow(unsafe_code)]

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use super::context::{Awaiting, Cx, Here};
use super::exchange::{Answer, OperationId};
use super::exit::{Class, Exit};
use super::protocol;
use super::wake::Root;
use crate::term::OwnedHeap;
use crate::{DecodeError, Heap, Term, View};

/// Something that the generated Erlang module can do for a callback.
pub trait Operation {
    /// What it evaluates to.
    type Output;

    /// Why it cannot be begun at all.
    fn refused(&self) -> Option<String> {
        None
    }

    /// The request as the Erlang side matches it: `{sleep, Milliseconds}`.
    fn request<H: Heap>(&self, heap: H) -> H::Term;

    /// Reads the answer: `Value` of `{ok, Value}`.
    ///
    /// # Errors
    /// The value is not of the expected type, or it says that the operation has failed.
    fn answer<'a, V: View<'a>>(value: V) -> Result<Self::Output, Failure>;
}

/// Why an answer is not a value.
#[derive(Debug)]
pub enum Failure {
    /// It does not have the expected type.
    BadTerm(DecodeError),
    /// It says that the operation failed with this reason: `{error, Reason}`.
    Exit(Term),
}

impl From<DecodeError> for Failure {
    fn from(error: DecodeError) -> Self {
        Failure::BadTerm(error)
    }
}

/// A future of a `Result<T, Exit>`: it waits for something that its callback's process, or another
/// one, does.
///
/// Any number of them can be awaited at the same time: joined, raced against each other, dropped.
/// An operation that is dropped is cancelled.
#[must_use = "an operation does nothing until it is awaited: `.await`"]
pub struct Await<'call, T, O> {
    cx: &'call Cx<'call>,
    operation: O,
    state: State,
    location: &'static Location<'static>,
    /// The poll function is known where the operation was made. So this type is a future whatever
    /// `O` is, and an argument of the wrong type is reported once and not again at the `.await`.
    poll: Poller<Self, T>,
}

type Poller<Future, T> = fn(&mut Future, &mut Context<'_>) -> Poll<Result<T, Exit>>;

enum State {
    Idle,
    UnderWay(OperationId),
    Done,
}

impl<'call, T, O: Operation<Output = T>> Await<'call, T, O> {
    /// An operation. It begins when it is first polled.
    #[track_caller]
    pub(crate) fn new(cx: &'call Cx<'call>, operation: O) -> Self {
        Await {
            cx,
            operation,
            state: State::Idle,
            location: Location::caller(),
            poll: Self::poll_operation,
        }
    }

    /// The operation, before it begins.
    pub(crate) fn operation(&mut self) -> &mut O {
        &mut self.operation
    }

    fn poll_operation(&mut self, context: &mut Context<'_>) -> Poll<Result<T, Exit>> {
        match self.state {
            State::Idle => {
                if let Some(reason) = self.operation.refused() {
                    self.state = State::Done;
                    let reason = Term::of(&(protocol::badarg, reason));
                    let exit = Exit::raised_at(Class::Error, reason, self.location);
                    return Poll::Ready(Err(exit));
                }
                let id = self.cx.begin(&self.operation, context.waker());
                self.state = State::UnderWay(id);
                Poll::Pending
            }
            State::UnderWay(id) => {
                let answer = self.cx.take::<O>(id, context.waker(), self.location);
                if answer.is_ready() {
                    self.state = State::Done;
                }
                answer
            }
            State::Done => panic!("an operation was polled after it had ended"),
        }
    }
}

// An operation is only read; nothing in it is polled at its address.
impl<T, O> Unpin for Await<'_, T, O> {}

impl<T, O> Future for Await<'_, T, O> {
    type Output = Result<T, Exit>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        (self.poll)(&mut self, context)
    }
}

impl<T, O> fmt::Debug for Await<'_, T, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Await({})", self.location)
    }
}

impl<T, O> Drop for Await<'_, T, O> {
    /// Cancels an operation that is dropped before it has ended, such as the loser of a race.
    fn drop(&mut self) {
        if let State::UnderWay(id) = self.state {
            self.cx.give_up(id);
        }
    }
}

impl Cx<'_> {
    /// The waker to keep for an operation. `None` stands for the waker of the whole callback.
    fn waker_to_keep(root: &Root, waker: &Waker) -> Option<Waker> {
        (!root.is(waker)).then(|| waker.clone())
    }

    fn begin<O: Operation>(&self, operation: &O, waker: &Waker) -> OperationId {
        match self.here() {
            Here::Vm(call, env) => {
                let Awaiting { exchange, root, .. } = call.awaiting();
                let request = operation.request(env.heap()).raw();
                let waker = Self::waker_to_keep(root, waker);
                exchange.borrow_mut().begin(request, waker)
            }
            Here::Owned(call) => {
                let request = operation.request(OwnedHeap);
                let waker = Self::waker_to_keep(&call.root, waker);
                call.exchange.borrow_mut().begin(request, waker)
            }
        }
    }

    fn take<O: Operation>(
        &self,
        id: OperationId,
        waker: &Waker,
        location: &'static Location<'static>,
    ) -> Poll<Result<O::Output, Exit>> {
        match self.here() {
            Here::Vm(call, env) => {
                let Awaiting { exchange, root, .. } = call.awaiting();
                let waker = Self::waker_to_keep(root, waker);
                let answer = exchange.borrow_mut().take(id, waker);
                match answer {
                    None => Poll::Pending,
                    Some(Answer::Here(raw)) => {
                        // SAFETY: the answer came with this call. Answers that are not taken in
                        // their call are saved.
                        Poll::Ready(outcome::<O, _>(unsafe { env.term(raw) }, location))
                    }
                    Some(Answer::Kept(answer)) => {
                        let answer = env.heap().saved(&answer);
                        Poll::Ready(outcome::<O, _>(answer, location))
                    }
                }
            }
            Here::Owned(call) => {
                let waker = Self::waker_to_keep(&call.root, waker);
                let answer = call.exchange.borrow_mut().take(id, waker);
                match answer {
                    Some(Answer::Here(answer)) => Poll::Ready(outcome::<O, _>(&answer, location)),
                    Some(Answer::Kept(_)) | None => Poll::Pending,
                }
            }
        }
    }

    fn give_up(&self, id: OperationId) {
        // After the call there is nothing to cancel: the whole callback is dropped.
        match self.try_here() {
            Some(Here::Vm(call, _)) => call.awaiting().exchange.borrow_mut().give_up(id),
            Some(Here::Owned(call)) => call.exchange.borrow_mut().give_up(id),
            None => {}
        }
    }
}

/// Reads `{ok, Value} | {Class, Reason, Stacktrace}`.
fn outcome<'a, O: Operation, V: View<'a>>(
    answer: V,
    location: &'static Location<'static>,
) -> Result<O::Output, Exit> {
    if let Some([tag, value]) = answer.tuple::<2>()
        && tag.is_atom(protocol::ok.atom())
    {
        return O::answer(value).map_err(|failure| match failure {
            Failure::BadTerm(error) => Exit::bad_term(error, location),
            Failure::Exit(reason) => Exit::raised_at(Class::Exit, reason, location),
        });
    }
    match answer.tuple::<3>() {
        Some(exception) => Err(Exit::caught(exception, location)),
        None => Err(Exit::error(
            "the Erlang side answered neither `{ok, Value}` nor an exception",
        )),
    }
}
