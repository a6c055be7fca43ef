//! Steps: the return values of a NIF when a callback waits, or when the process has to perform
//! actions before the callback returns: `{'$otp_rs', Step}`. The generated library module performs
//! the step (`codegen/src/erlang/library_module.rs`).
#![allow(unsafe_code)]

use otp_contract::library::{Action as ActionShape, Step as Shape};

use super::{Action, OperationId};
use crate::nif::{RawTerm, Scheduler, VmEnv, VmHeap, VmTerm};
use crate::runtime::protocol;
use crate::runtime::protocol::shape;
use crate::{Exit, Heap, Term, ToTerm};

/// A step, on the heap of the call that returns it.
pub(crate) struct Step<'a>(VmTerm<'a>);

impl<'a> Step<'a> {
    /// `{alone, Cell, Request}`: the process performs one operation itself.
    pub(crate) fn alone(heap: VmHeap<'a>, cell: VmTerm<'a>, request: VmTerm<'a>) -> Self {
        Step(shape!(heap, Shape::Alone, cell, request))
    }

    /// `{wait, Cell, Actions}`: the process performs the actions and waits for an answer.
    pub(crate) fn wait(heap: VmHeap<'a>, cell: VmTerm<'a>, actions: VmTerm<'a>) -> Self {
        Step(shape!(heap, Shape::Wait, cell, actions))
    }

    /// `{poll | dirty_cpu | dirty_io, Cell, Actions, Answers}`: the process performs the actions.
    /// The callback is resumed after its scheduler has run other processes, or on another
    /// scheduler. It gets these answers again.
    pub(crate) fn go_on(
        heap: VmHeap<'a>,
        cell: VmTerm<'a>,
        (actions, answers): (VmTerm<'a>, VmTerm<'a>),
        scheduler: Scheduler,
    ) -> Self {
        Step(match scheduler {
            Scheduler::Normal => shape!(heap, Shape::Poll, cell, actions, answers),
            Scheduler::DirtyCpu => shape!(heap, Shape::DirtyCpu, cell, actions, answers),
            Scheduler::DirtyIo => shape!(heap, Shape::DirtyIo, cell, actions, answers),
        })
    }

    /// `{return, Actions, Value}`: the process performs the actions, and the callback returns a
    /// value.
    pub(crate) fn returned(heap: VmHeap<'a>, actions: VmTerm<'a>, value: VmTerm<'a>) -> Self {
        Step(shape!(heap, Shape::Return, actions, value))
    }

    /// `{stay, Actions, Value}`: like `return`, but the operations of tasks stay outstanding.
    pub(crate) fn stay(heap: VmHeap<'a>, actions: VmTerm<'a>, value: VmTerm<'a>) -> Self {
        Step(shape!(heap, Shape::Stay, actions, value))
    }

    /// `{raise, Actions, {Class, Reason}, Stack}`: the callback ends with an exception. `Stack` is
    /// the top of its stack.
    pub(crate) fn raise(
        heap: VmHeap<'a>,
        actions: VmTerm<'a>,
        exception: [VmTerm<'a>; 2],
        stack: VmTerm<'a>,
    ) -> Self {
        let exception = heap.tuple(exception);
        Step(shape!(heap, Shape::Raise, actions, exception, stack))
    }

    /// `{tell, Report, Answer}`: the process logs the report and then continues with the answer.
    pub(crate) fn tell(heap: VmHeap<'a>, report: VmTerm<'a>, answer: VmTerm<'a>) -> Self {
        Step(shape!(heap, Shape::Tell, report, answer))
    }

    /// `{ended, Report, Answer}`: the process executes an event of `telemetry`, and then continues
    /// with the answer.
    #[cfg(feature = "calls")]
    pub(crate) fn ended(heap: VmHeap<'a>, report: VmTerm<'a>, answer: VmTerm<'a>) -> Self {
        Step(shape!(heap, Shape::Ended, report, answer))
    }

    /// `{foreign, {Module, Function, Arguments}, Cell, Reason}`: the process runs the callback of
    /// the version that created the state, or the call ends with the reason.
    pub(crate) fn foreign(
        heap: VmHeap<'a>,
        callback: VmTerm<'a>,
        cell: VmTerm<'a>,
        reason: VmTerm<'a>,
    ) -> Self {
        Step(shape!(heap, Shape::Foreign, callback, cell, reason))
    }

    /// `{'$otp_rs', Step}`
    pub(crate) fn answer(self, heap: VmHeap<'a>) -> VmTerm<'a> {
        heap.tuple([heap.atom(&protocol::MARK), self.0])
    }
}

/// Builds the list of actions:
/// `{do, Request} | {begin | perform, Id, Request} | {cancel, Id} | {take, Request}`, and `wake` at
/// the end of a callback whose waker may still have sent a message.
pub(crate) fn list<'a>(
    env: VmEnv<'a>,
    actions: Vec<Action<RawTerm>>,
    flushes_wakes: bool,
) -> VmTerm<'a> {
    let heap = env.heap();
    let mut terms: Vec<VmTerm<'a>> = Vec::with_capacity(actions.len() + 1);
    for action in actions {
        // SAFETY: the requests were made on the heap of this call, because actions are taken before
        // it ends.
        let term = |request: RawTerm| unsafe { env.term(request) };
        terms.push(match action {
            Action::Do(request) => shape!(heap, ActionShape::Do, term(request)),
            Action::Begin(id, request) => {
                let id = id.number().to_term(heap);
                shape!(heap, ActionShape::Begin, id, term(request))
            }
            Action::Perform(id, request) => {
                let id = id.number().to_term(heap);
                shape!(heap, ActionShape::Perform, id, term(request))
            }
            Action::Cancel(id) => shape!(heap, ActionShape::Cancel, id.number().to_term(heap)),
            Action::Take(request) => shape!(heap, ActionShape::Take, term(request)),
        });
    }
    if flushes_wakes {
        terms.push(heap.atom(&protocol::WAKE));
    }
    heap.list(terms)
}

/// Builds `[{Id, Outcome}]` from answers of this call, which are terms of it.
pub(crate) fn answers<'a>(env: VmEnv<'a>, answers: Vec<(OperationId, RawTerm)>) -> VmTerm<'a> {
    let heap = env.heap();
    let pair = |(id, outcome): (OperationId, RawTerm)| {
        // SAFETY: the caller has taken the answers from the call with this environment.
        let outcome = unsafe { env.term(outcome) };
        heap.tuple([heap.unsigned(id.number()), outcome])
    };
    heap.list(answers.into_iter().map(pair).collect::<Vec<_>>())
}

/// Builds the top of an exception's stack: the Erlang frames above the failed operation, then the
/// callback with the location in Rust.
pub(crate) fn stack<'a>(
    heap: VmHeap<'a>,
    erlang: Option<&Term>,
    callback: VmTerm<'a>,
) -> VmTerm<'a> {
    let frames = match erlang {
        Some(Term::List(frames)) => frames.as_slice(),
        _ => &[],
    };
    let frames = frames.iter().map(|frame| frame.to_term(heap));
    heap.list(frames.chain([callback]).collect::<Vec<_>>())
}

/// `{Class, Reason}`
pub(crate) fn exception<'a>(heap: VmHeap<'a>, exit: &Exit) -> [VmTerm<'a>; 2] {
    [exit.class().to_term(heap), exit.reason().to_term(heap)]
}
