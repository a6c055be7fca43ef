//! One call of a callback: decoding its arguments, running its future, answering the VM.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;

use rustler::Env;
use rustler::sys::{ErlNifTerm, enif_raise_exception};

use super::cell::ProcessCell;
use super::exchange::{self, Encoded, EncodedTerm, Frame, VmFrame};
use super::panics::{self, Panic};
use super::{VmHeap, VmTerm};
use crate::process::{Class, Cx, Exit, Outcome};
use crate::registry::{CallbackEntry, Module, ModuleEntry};
use crate::term::without_texts;
use crate::{DecodeError, FromTerm, Heap, ToTerm, View, protocol};

/// A running callback, as generated code sees it.
pub struct Invocation<'a> {
    env: Env<'a>,
    module: &'static ModuleEntry,
    callback: &'static CallbackEntry,
    arguments: &'a [ErlNifTerm],
    cell: Option<Opened<'a>>,
}

/// A process's cell and the term that stands for it in this call.
#[derive(Clone, Copy)]
struct Opened<'a> {
    cell: &'a ProcessCell,
    term: ErlNifTerm,
}

impl<'a> Invocation<'a> {
    pub(crate) fn new(
        env: Env<'a>,
        (module, callback): (&'static ModuleEntry, &'static CallbackEntry),
        arguments: &'a [ErlNifTerm],
    ) -> Self {
        Invocation {
            env,
            module,
            callback,
            arguments,
            cell: None,
        }
    }

    /// Decodes an argument; `name` is the specification's, for the error's path.
    ///
    /// # Errors
    /// The term is no `T`.
    pub fn argument<T: FromTerm>(
        &self,
        place: usize,
        name: &'static str,
    ) -> Result<T, DecodeError> {
        T::from_term(self.term(place)).map_err(|error| error.at_field(name))
    }

    /// Moves the state out of the process. Everything that can fail comes before.
    ///
    /// # Errors
    /// The argument is no state of this process and type.
    pub fn state<T: Module>(&mut self, place: usize) -> Result<T, DecodeError> {
        let opened = Opened::from_argument(self.env, self.arguments[place]);
        let state = opened.and_then(|opened| {
            // SAFETY: `from_argument` checked the owner; the reference ends in this closure.
            let slot = unsafe { opened.cell.state() };
            if self.callback.ends {
                // OTP reports the state once more after this.
                slot.remember();
            }
            let state = slot.take::<T>()?;
            self.cell = Some(opened);
            Some(state)
        });
        state.ok_or_else(|| {
            let expected = format!(
                "the state of this process, a `{}`",
                std::any::type_name::<T>()
            );
            DecodeError::expected_text(expected, self.term(place)).at_field("State")
        })
    }

    /// The context for the callback's future.
    pub fn cx(&self) -> Cx {
        Cx {
            own: std::marker::PhantomData,
        }
    }

    /// Hands over the future of the callback; it is polled once all arguments are decoded.
    pub fn start<F: Future<Output = Outcome> + Send + 'static>(&mut self, future: F) {
        let opened = self.cell.take().unwrap_or_else(|| Opened::new(self.env));
        // SAFETY: the cell is this process's own, by `Opened`; the reference ends here.
        unsafe { opened.cell.future() }.put(future);
        self.cell = Some(opened);
    }

    /// Runs the first clause that the arguments fit, to its end or to its first operation.
    pub(crate) fn run(mut self) -> ErlNifTerm {
        let clauses = self.callback.clauses;
        // A clause that does not fit is no error as long as another does.
        if without_texts(|| clauses.iter().find_map(|clause| clause(&mut self).ok())).is_some() {
            return self.drive();
        }
        let mut refused = Vec::new();
        for clause in self.callback.clauses {
            match clause(&mut self) {
                Ok(()) => return self.drive(),
                Err(error) => refused.push(error),
            }
        }
        if self.ends_without_state() {
            // SAFETY: `env` is that of the running NIF call.
            let heap = unsafe { VmHeap::new(self.env.as_c_arg()) };
            return protocol::ok.to_term(heap).raw();
        }
        self.refuse(refused)
    }

    /// Whether this is `terminate`, or another callback that takes the state for good, where there
    /// is none: a callback took the state with it, as it panicked or asked for an exit, or the
    /// behaviour gives `[]` for a state that was never made (`application:stop/1`). Then there
    /// is nothing to end; an error here would hide the reason that the process ends for.
    fn ends_without_state(&self) -> bool {
        let place = self.callback.state.filter(|_| self.callback.ends);
        let Some(&term) = place.and_then(|place| self.arguments.get(place)) else {
            return false;
        };
        match Opened::from_argument(self.env, term) {
            // SAFETY: `from_argument` checked the owner; the reference ends here.
            Some(opened) => unsafe { opened.cell.state() }.is_empty(),
            None => place.is_some_and(|place| self.term(place).is_empty_list()),
        }
    }

    fn drive(self) -> ErlNifTerm {
        match self.cell {
            Some(opened) => opened.drive(self.env, None),
            None => raise(self.env, &protocol::no_future),
        }
    }

    /// No clause fits: `{bad_term, Error}`, or `{no_clause, …}` when there were several.
    fn refuse(&self, mut refused: Vec<DecodeError>) -> ErlNifTerm {
        if refused.len() == 1 {
            return raise(self.env, &(protocol::bad_term, refused.remove(0)));
        }
        let callback = format!(
            "{}:{}/{}",
            self.module.name, self.callback.name, self.callback.arity
        );
        raise(self.env, &(protocol::no_clause, callback, refused))
    }

    fn term(&self, place: usize) -> VmTerm<'a> {
        // SAFETY: the arguments belong to the environment of this NIF call.
        unsafe { VmTerm::new(self.env.as_c_arg(), self.arguments[place]) }
    }
}

impl<'a> Opened<'a> {
    fn new(env: Env<'a>) -> Self {
        // SAFETY: `env` is that of the running NIF call, which lasts for `'a`.
        let (cell, term) = unsafe { ProcessCell::create(env.as_c_arg()) };
        Opened { cell, term }
    }

    /// `None` when the term is no cell, or another process's.
    fn from_argument(env: Env<'a>, term: ErlNifTerm) -> Option<Self> {
        // SAFETY: `term` is an argument of the NIF call of `env`, which lasts for `'a`.
        let cell = unsafe { ProcessCell::open(env.as_c_arg(), term) }?;
        Some(Opened { cell, term })
    }

    /// Polls the future once and answers the VM.
    fn drive(self, env: Env<'a>, answer: Option<ErlNifTerm>) -> ErlNifTerm {
        let frame = Frame::Vm(VmFrame {
            env: env.as_c_arg(),
            cell: self.cell,
            cell_term: self.term,
            answer: Cell::new(answer),
            request: Cell::new(None),
        });
        // SAFETY: the cell is this process's own, by `Opened`. The future reaches the cell only
        // through the frame, which touches its state and tickets and never the future slot.
        let future = unsafe { self.cell.future() };
        let polled = exchange::enter(&frame, || {
            let polled = catch_unwind(AssertUnwindSafe(|| future.poll()));
            polled.map_err(|payload| {
                // What the future held may panic again when dropped: that panic adds nothing.
                let panic = Panic::caught(payload);
                panics::contained(|| future.clear());
                panic
            })
        });
        let Frame::Vm(frame) = &frame else {
            unreachable!("made above")
        };
        answer_vm(env, frame, polled)
    }
}

fn answer_vm(
    env: Env<'_>,
    frame: &VmFrame<'_>,
    polled: Result<Option<Poll<Outcome>>, Panic>,
) -> ErlNifTerm {
    // SAFETY: `env` is that of the running NIF call.
    let heap = unsafe { VmHeap::new(env.as_c_arg()) };
    match polled {
        Ok(Some(Poll::Ready(Ok(Encoded(EncodedTerm::Vm(term)))))) => term,
        Ok(Some(Poll::Ready(Ok(Encoded(EncodedTerm::Owned(term)))))) => term.to_term(heap).raw(),
        Ok(Some(Poll::Ready(Err(exit)))) => leave(env, heap, &exit),
        Ok(Some(Poll::Pending)) => match frame.request.get() {
            Some(request) => {
                // SAFETY: both terms belong to this environment.
                let (cell, request) = unsafe {
                    (
                        VmTerm::new(frame.env, frame.cell_term),
                        VmTerm::new(frame.env, request),
                    )
                };
                let pending = heap.tuple([protocol::await_.to_term(heap), cell, request]);
                heap.tuple([protocol::otp_rs.to_term(heap), pending]).raw()
            }
            None => raise(env, &protocol::foreign_future),
        },
        Ok(None) => raise(env, &protocol::no_future),
        Err(panic) => raise(env, &panic),
    }
}

/// Ends the process as the callback asks: an error is raised here, an exit by the Erlang side.
fn leave(env: Env<'_>, heap: VmHeap<'_>, exit: &Exit) -> ErlNifTerm {
    if exit.class == Class::Error {
        return raise(env, &exit.reason);
    }
    let pending = heap.tuple([exit.class.to_term(heap), exit.reason.to_term(heap)]);
    heap.tuple([protocol::otp_rs.to_term(heap), pending]).raw()
}

/// Makes the NIF call raise `error(Reason)`.
pub(crate) fn raise(env: Env<'_>, reason: &impl ToTerm) -> ErlNifTerm {
    // SAFETY: `env` is that of the running NIF call; the reason is built in it.
    unsafe {
        let reason = reason.to_term(VmHeap::new(env.as_c_arg())).raw();
        enif_raise_exception(env.as_c_arg(), reason)
    }
}

/// Goes on with the future of `cell`, whose operation has ended with `answer`.
pub(crate) fn resume(env: Env<'_>, cell: ErlNifTerm, answer: ErlNifTerm) -> ErlNifTerm {
    match Opened::from_argument(env, cell) {
        Some(opened) => opened.drive(env, Some(answer)),
        None => raise(env, &protocol::badarg),
    }
}

/// The `Debug` form of the state behind `cell`, as text.
pub(crate) fn describe_state(env: Env<'_>, term: ErlNifTerm) -> ErlNifTerm {
    let opened = Opened::from_argument(env, term);
    // SAFETY: the cell is this process's own; the reference ends in this expression.
    let text = opened.map(|opened| unsafe { opened.cell.state() }.describe());
    // SAFETY: `env` is that of the running NIF call.
    let heap = unsafe { VmHeap::new(env.as_c_arg()) };
    match text {
        Some(Some(text)) => text.to_term(heap).raw(),
        Some(None) => "moved into the callback that failed".to_term(heap).raw(),
        None => term,
    }
}
