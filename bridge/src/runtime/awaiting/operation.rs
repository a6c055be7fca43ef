//! Operations that a callback awaits. To wait, the NIF returns to the generated Erlang module. That
//! performs the operations in the process itself and resumes the future with their outcomes.
#![allow(unsafe_code)]

mod outcome;
mod polls;

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use otp_contract::library::Request;

use crate::nif::{Scheduler, VmHeap, VmTerm};
use crate::runtime::exchange::{Answer, Found, OperationId, WhenDropped};
use crate::runtime::failure::builds::TermOrigin;
use crate::runtime::failure::exit::{Class, Exit};
use crate::runtime::output;
use crate::runtime::protocol::{self, ProtocolAtom, shape};
use crate::runtime::raw::awaited::Awaiting;
use crate::runtime::raw::context::{Cx, Here};
use crate::runtime::raw::wake::Root;
use crate::term::{OwnedHeap, Reader};
use crate::{DecodeError, Heap, Term, ToTerm, View};
use outcome::{outcome, slice};
use polls::Polls;

/// An operation that the generated Erlang module can perform for a callback.
pub trait Operation {
    /// The type of its result.
    type Output;

    /// The fate of the operation if its future is dropped.
    const WHEN_DROPPED: WhenDropped = WhenDropped::Cancelled;

    /// Returns the reason why the operation cannot be started, if there is one.
    fn refused(&self) -> Option<String> {
        None
    }

    /// Builds the request as the Erlang side matches it: `{sleep, Milliseconds}`.
    fn request<H: Heap>(&self, heap: H) -> H::Term;

    /// Returns the largest number of bytes that the Rust value of the answer may take.
    fn limit() -> usize {
        usize::MAX
    }

    /// Returns where the answer comes from.
    fn origin(&self) -> TermOrigin {
        TermOrigin::Here
    }

    /// Reads the answer: `Value` of `{ok, Value}`.
    ///
    /// # Errors
    /// The value has another type, or reports that the operation has failed.
    fn answer<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<Self::Output, Failure>;

    /// Returns the answer, after the callback has become responsible for the replies to callers in
    /// it.
    fn watched(answer: Self::Output, _: &Cx<'_>) -> Self::Output {
        answer
    }
}

/// The reason why an answer is not a value.
#[derive(Debug)]
pub enum Failure {
    /// It has another type.
    BadTerm(DecodeError),
    /// It reports that the operation failed with this reason: `{error, Reason}`.
    Exit(Term),
}

impl From<DecodeError> for Failure {
    fn from(error: DecodeError) -> Self {
        Failure::BadTerm(error)
    }
}

/// A future of a `Result<T, Exit>`: it waits for an operation of its callback's process, or of
/// another one.
///
/// You can await any number of them at the same time: join them, race them against each other, or
/// drop them. Dropping an operation cancels it.
#[must_use = "an operation does nothing until it is awaited: `.await`"]
pub struct Await<'call, T, O> {
    progress: Progress<'call>,
    operation: O,
    location: &'static Location<'static>,
    /// The poll function is chosen where the operation is created. So this type is a future for any
    /// `O`, and the compiler reports an argument of the wrong type once and not again at the
    /// `.await`.
    poll: Poller<Self, T>,
}

type Poller<Future, T> = fn(&mut Future, &mut Context<'_>) -> Poll<Result<T, Exit>>;

/// The progress of an operation. If it is dropped before its end, the operation is cancelled.
struct Progress<'call> {
    cx: &'call Cx<'call>,
    state: State,
    polls: Polls,
    when_dropped: WhenDropped,
}

enum State {
    Idle,
    UnderWay(OperationId),
    Done,
}

impl<'call, T, O: Operation<Output = T>> Await<'call, T, O> {
    /// Creates an operation that starts when it is first polled.
    #[track_caller]
    pub(crate) fn new(cx: &'call Cx<'call>, operation: O) -> Self {
        let progress = Progress {
            cx,
            state: State::Idle,
            polls: Polls::default(),
            when_dropped: O::WHEN_DROPPED,
        };
        Await {
            progress,
            operation,
            location: Location::caller(),
            poll: Self::poll_operation,
        }
    }

    /// Creates an operation and starts it. Without a process, in a destructor that runs after the
    /// process has ended, it does not start.
    #[track_caller]
    pub(crate) fn begun(cx: &'call Cx<'call>, operation: O) -> Self {
        let mut begun = Self::new(cx, operation);
        if begun.operation.refused().is_none() && cx.here_if_alive().is_some() {
            let id = cx.begin(&begun.operation, None);
            begun.progress.state = State::UnderWay(id);
        }
        begun
    }

    /// Returns the operation, to change it before it starts.
    pub(crate) fn operation(&mut self) -> &mut O {
        &mut self.operation
    }

    /// Replaces the code that reads the answer, at any point of the operation's progress.
    pub(crate) fn turned_into<U, P>(self, turn: impl FnOnce(O) -> P) -> Await<'call, U, P>
    where
        P: Operation<Output = U>,
    {
        Await {
            progress: self.progress,
            operation: turn(self.operation),
            location: self.location,
            poll: Await::poll_operation,
        }
    }

    fn poll_operation(&mut self, context: &mut Context<'_>) -> Poll<Result<T, Exit>> {
        match self.progress.state {
            State::Idle => {
                if let Some(reason) = self.operation.refused() {
                    self.progress.state = State::Done;
                    let reason = Term::of(&(protocol::badarg, reason));
                    let exit = Exit::raised_at(Class::Error, reason, self.location);
                    return Poll::Ready(Err(exit));
                }
                let id = self
                    .progress
                    .cx
                    .begin(&self.operation, Some(context.waker()));
                self.progress.state = State::UnderWay(id);
                let Progress { cx, polls, .. } = &mut self.progress;
                polls.by_another(cx, context.waker(), self.location);
                Poll::Pending
            }
            State::UnderWay(id) => {
                let (operation, location) = (&self.operation, self.location);
                let answer = self
                    .progress
                    .cx
                    .take(id, operation, context.waker(), location);
                match answer.is_ready() {
                    true => self.progress.state = State::Done,
                    false => {
                        let Progress { cx, polls, .. } = &mut self.progress;
                        polls.in_vain(cx, context.waker());
                        polls.by_another(cx, context.waker(), location);
                    }
                }
                answer.map_ok(|value| O::watched(value, self.progress.cx))
            }
            State::Done => panic!("an operation was polled after it had ended"),
        }
    }
}

// An operation is only read; none of its fields is pinned.
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

impl Drop for Progress<'_> {
    /// Cancels an operation that is dropped before it has completed, such as the loser of a race.
    fn drop(&mut self) {
        if let State::UnderWay(id) = self.state {
            self.cx.give_up(id, self.when_dropped);
        }
    }
}

/// An operation that has started, and completes even if you drop this. If you need its result,
/// await it as a `Result<T, Exit>`; otherwise write a plain call.
pub struct Ongoing<'call, T, O>(Await<'call, T, O>);

impl<'call, T, O: Operation<Output = T>> Ongoing<'call, T, O> {
    #[track_caller]
    pub(crate) fn new(cx: &'call Cx<'call>, operation: O) -> Self {
        const { assert!(matches!(O::WHEN_DROPPED, WhenDropped::GoesOn)) }
        Ongoing(Await::begun(cx, operation))
    }
}

impl<T, O> Future for Ongoing<'_, T, O> {
    type Output = Result<T, Exit>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context)
    }
}

impl<T, O> fmt::Debug for Ongoing<'_, T, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ongoing({})", self.0.location)
    }
}

/// Adds the spans around the running code to a request that sends messages to other processes.
pub(crate) fn within_spans<'a>(heap: VmHeap<'a>, request: VmTerm<'a>) -> VmTerm<'a> {
    let Some(spans) = output::spans() else {
        return request;
    };
    let is_call = match (request.tuple::<4>(), request.tuple::<3>()) {
        // `call`, `apply` and `here`
        (Some(_), _) => true,
        (_, Some([tag, ..])) => tag.is_atom(Request::SendRequest.atom()),
        _ => false,
    };
    match is_call {
        true => shape!(heap, Request::Within, spans.to_term(heap), request),
        false => request,
    }
}

impl Cx<'_> {
    /// Returns the waker to store for an operation. `None` stands for the waker of the whole
    /// callback.
    fn waker_to_keep(root: &Root, waker: &Waker) -> Option<Waker> {
        (!root.is(waker)).then(|| waker.clone())
    }

    /// Starts an operation. Without a waker it is not awaited yet, and its answer wakes the whole
    /// callback.
    fn begin<O: Operation>(&self, operation: &O, waker: Option<&Waker>) -> OperationId {
        match self.here() {
            Here::Vm(call, env) => {
                let Awaiting { exchange, root, .. } = call.awaiting();
                let request = operation.request(env.heap());
                let request = within_spans(env.heap(), request).raw();
                let mut exchange = exchange.borrow_mut();
                match waker {
                    Some(waker) => {
                        exchange.begin_awaited(request, Self::waker_to_keep(root, waker))
                    }
                    None => exchange.begin(request, None),
                }
            }
            Here::Owned(call) => {
                let request = operation.request(OwnedHeap);
                let waker = waker.and_then(|waker| Self::waker_to_keep(&call.root, waker));
                call.exchange.borrow_mut().begin(request, waker)
            }
        }
    }

    fn take<O: Operation>(
        &self,
        id: OperationId,
        operation: &O,
        waker: &Waker,
        location: &'static Location<'static>,
    ) -> Poll<Result<O::Output, Exit>> {
        match self.here() {
            Here::Vm(call, env) => {
                let Awaiting { exchange, root, .. } = call.awaiting();
                let kept = Self::waker_to_keep(root, waker);
                let found = exchange.borrow_mut().take_to_read(id, kept);
                let answer = match found {
                    Found::Nothing => return Poll::Pending,
                    Found::NotBegun => {
                        let request = operation.request(env.heap()).raw();
                        exchange.borrow_mut().begin_again(id, request);
                        return Poll::Pending;
                    }
                    Found::Answer(answer) => answer,
                };
                let term = match &answer {
                    // SAFETY: the answer arrived with this call. Answers that are not taken in
                    // their call are saved, or arrive again with the next one.
                    Answer::Here(raw) | Answer::Offered(raw) => unsafe { env.term(*raw) },
                    Answer::Saved(answer) => env.heap().saved(answer),
                };
                let Some(outcome) = outcome(operation, term, location, slice(env.is_dirty()))
                else {
                    // The next poll is on a dirty scheduler.
                    let kept = Self::waker_to_keep(root, waker);
                    exchange.borrow_mut().put_back(id, answer, kept);
                    call.gives_way.set(Some(Scheduler::DirtyCpu));
                    waker.wake_by_ref();
                    return Poll::Pending;
                };
                let mut exchange = exchange.borrow_mut();
                exchange.end(id);
                if let Answer::Offered(_) = answer {
                    exchange.take_message(operation.request(env.heap()).raw());
                }
                Poll::Ready(outcome)
            }
            Here::Owned(call) => {
                let waker = Self::waker_to_keep(&call.root, waker);
                let found = call.exchange.borrow_mut().take(id, waker);
                match found {
                    Found::Answer(Answer::Here(answer)) => {
                        let outcome = outcome(operation, &answer, location, slice(true));
                        outcome.map_or(Poll::Pending, Poll::Ready)
                    }
                    Found::Answer(_) | Found::Nothing | Found::NotBegun => Poll::Pending,
                }
            }
        }
    }

    fn give_up(&self, id: OperationId, when_dropped: WhenDropped) {
        // After the call there is no operation to cancel: the whole callback is dropped.
        match self.try_here() {
            Some(Here::Vm(call, env)) => {
                let mut exchange = call.awaiting().exchange.borrow_mut();
                let answer = match exchange.nobody_waits(id, when_dropped) {
                    // SAFETY: the answer arrived with this call.
                    Some(Answer::Here(raw)) => unsafe { env.term(raw) },
                    Some(Answer::Saved(answer)) => env.heap().saved(&answer),
                    Some(Answer::Offered(_)) | None => return,
                };
                let messages = answer
                    .tuple::<2>()
                    .and_then(|[_, messages]| messages.list());
                for message in messages.into_iter().flatten() {
                    let own = call.process.identifier();
                    exchange.ask(protocol::send_again(env.heap(), &own, message).raw());
                }
            }
            Some(Here::Owned(call)) => {
                call.exchange.borrow_mut().nobody_waits(id, when_dropped);
            }
            None => {}
        }
    }
}
