//! A call of a callback in the VM.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::mem::ManuallyDrop;

use super::bad_message::{BadMessage, caller_of_message};
use super::starter::{AnyStarter, ClauseStart};
use crate::nif::{Encoded, RawTerm, VmTerm};
#[cfg(feature = "calls")]
use crate::runtime::cost::observer;
use crate::runtime::exchange::step::Step;
use crate::runtime::failure::builds;
use crate::runtime::failure::builds::TermOrigin;
use crate::runtime::failure::cut::cut;
use crate::runtime::failure::exit::{Exit, TermReturn};
use crate::runtime::failure::panics::SECRET_TEXT;
use crate::runtime::harness::ending;
use crate::runtime::harness::function::Direct;
use crate::runtime::harness::running::Running;
use crate::runtime::protocol;
use crate::runtime::protocol::limits;
use crate::runtime::raw::cell::{CELLS, ProcessCell};
use crate::runtime::raw::context::Cx;
use crate::runtime::raw::frame::Frame;
use crate::runtime::registry::{CallbackEntry, CallbackKind, Module, RunningClause};
use crate::tasks::Held;
use crate::term::{Reader, StaticAtom, say_texts};
use crate::{DecodeError, FromTerm, Heap, Pid, Term, ToTerm, View};

static EXIT: StaticAtom = StaticAtom::new("EXIT");
static DOWN: StaticAtom = StaticAtom::new("DOWN");

/// A call in the VM.
pub(super) struct VmInvocation<'a> {
    pub(super) frame: Frame<'a>,
    pub(super) arguments: &'a [RawTerm],
    /// The process's cell; `None` until the clause has been called with it.
    cell: Option<&'a ProcessCell>,
    /// Whether the clause is a function that needs no cell, and has been called.
    is_direct: bool,
    /// See [`VmInvocation::hold`]. It has no destructor, because most calls hold nothing: the call
    /// releases it when it leaves.
    held: ManuallyDrop<Option<Held<'a>>>,
    /// The position of the last argument that could not be decoded.
    unread: Cell<usize>,
}

/// The user's code that a call has entered, whether it still runs or has returned.
#[derive(Clone, Copy)]
pub(crate) enum EnteredCall<'a> {
    Nothing,
    /// A clause with the cell of its process.
    Cell(Running<'a>),
    /// A function that needs no cell.
    Function(Direct<'a>),
}

impl<'a> VmInvocation<'a> {
    #[inline]
    pub(super) fn new(frame: Frame<'a>, arguments: &'a [RawTerm]) -> Self {
        VmInvocation {
            frame,
            arguments,
            cell: None,
            is_direct: false,
            held: ManuallyDrop::new(None),
            unread: Cell::new(0),
        }
    }

    #[inline(always)]
    pub(super) fn argument<T>(
        &self,
        index: usize,
        read: impl Fn(VmTerm<'a>, Reader<'_>) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        let slice = if self.is_on_normal() {
            limits::READ_AT_ONCE
        } else {
            usize::MAX
        };
        let (mut term, mut limits) = (self.term(index), Some((limits::message(), slice)));
        // One place decodes, so that the compiler can inline it.
        loop {
            let (limit, slice) = limits.unwrap_or((usize::MAX, usize::MAX));
            match Reader::within(limit, slice, |reader| read(term, reader)) {
                Ok(value) => return Ok(value),
                Err(error) => term = self.shortened(index, error, limits.take())?,
            }
        }
    }

    /// Returns the term that is decoded instead of an argument that could not be decoded: an exit
    /// reason may be decoded without its parts that are too large or too deep.
    ///
    /// # Errors
    /// The argument is not an exit reason, or has no limits because it has already been shortened.
    #[cold]
    #[inline(never)]
    fn shortened(
        &self,
        index: usize,
        error: DecodeError,
        limits: Option<(usize, usize)>,
    ) -> Result<VmTerm<'a>, DecodeError> {
        self.unread.set(index);
        if limits.is_some()
            && error.is_limit()
            && !error.gives_way()
            && self.says_why(self.frame.clause.callback, index)
        {
            Ok(cut(self.frame.env.heap(), self.term(index)))
        } else {
            Err(error)
        }
    }

    /// Returns whether the argument contains the reason of an exit, so that it may be cut: an
    /// argument of `terminate/2`, or a message `{'EXIT', Process, Reason}` or
    /// `{'DOWN', Monitor, Type, Object, Reason}`.
    #[cold]
    fn says_why(&self, callback: &CallbackEntry, index: usize) -> bool {
        let facts = &callback.facts;
        if facts.ends() {
            return facts.state != Some(index);
        }
        let is_info = match facts.event_type {
            Some(event_type) => self.term(event_type).is_atom(protocol::info.atom()),
            None => facts.kind == CallbackKind::Info,
        };
        let is_message = is_info && facts.message == Some(index);
        let term = self.term(index);
        let is_exit = |[tag, process, _]: [VmTerm<'a>; 3]| {
            tag.is_atom(&EXIT) && (process.pid().is_some() || process.port().is_some())
        };
        let is_down = |[tag, monitor, ..]: [VmTerm<'a>; 5]| {
            tag.is_atom(&DOWN) && monitor.reference().is_some()
        };
        is_message && (term.tuple().is_some_and(is_exit) || term.tuple().is_some_and(is_down))
    }

    /// Called before the state of the process is used. On a dirty scheduler, no other process drops
    /// the tasks of this one until this call has ended. Returns false if the process was killed and
    /// its tasks are already being dropped.
    #[inline]
    pub(super) fn hold(&mut self, cell: &'a ProcessCell) -> bool {
        self.is_on_normal() || self.held.is_some() || self.hold_now(cell)
    }

    #[cold]
    fn hold_now(&mut self, cell: &'a ProcessCell) -> bool {
        // SAFETY: this is a call of the owning process, because the cell could be opened.
        let held = unsafe { cell.hold() };
        let may_go_on = held.is_some();
        *self.held = held.flatten();
        may_go_on
    }

    #[inline]
    pub(super) fn is_on_normal(&self) -> bool {
        self.frame.thread.is_normal_scheduler()
    }

    /// Opens the cell with the state of the process, and marks the start of the user's code.
    ///
    /// # Errors
    /// The argument is not this process's state, or the state has another type.
    #[inline(always)]
    pub(super) fn on_state<T: Module>(
        &mut self,
        index: usize,
        was_silent: bool,
    ) -> Result<ClauseStart<'_, 'a, T>, DecodeError> {
        let term = self.arguments[index];
        // SAFETY: the term is an argument of this call.
        let cell = unsafe { ProcessCell::open(self.frame.env, term) };
        // SAFETY: this is a call of the owning process, because the cell could be opened. The
        // references to the state and the future end in these lines, except for the reference to
        // the state that is passed on. No future can hold another one, since there is no future,
        // and `Running` guarantees that none outlives the callback.
        let opened = unsafe {
            cell.filter(|cell| self.hold(cell) && !cell.is_busy())
                .and_then(|cell| Some((cell, cell.state().get::<T>()?)))
        };
        let Some((cell, state)) = opened else {
            return Err(self.not_the_state::<T>(term));
        };
        let (cx, starter) = self.enter_made((cell, term), was_silent);
        Ok((state, cx, starter))
    }

    /// Marks the start of the user's code, with the cell of the process.
    #[inline]
    pub(super) fn enter_made(
        &mut self,
        (cell, term): (&'a ProcessCell, RawTerm),
        was_silent: bool,
    ) -> (&'a Cx<'a>, AnyStarter<'_, 'a>) {
        let running = self.enter(cell, term, was_silent);
        (cell.cx(), AnyStarter::Vm(running))
    }

    #[inline]
    fn enter(&mut self, cell: &'a ProcessCell, term: RawTerm, was_silent: bool) -> Running<'_> {
        if was_silent {
            say_texts();
        }
        // If the clause panics, the handler finds the cell there.
        self.cell = Some(cell);
        let running = Running::new(cell, term, &mut self.frame);
        running.enter();
        running
    }

    /// Returns what this call has entered.
    #[inline]
    pub(super) fn entered(&self) -> EnteredCall<'_> {
        match self.cell {
            Some(cell) => EnteredCall::Cell(Running::again(cell, &self.frame)),
            None if self.is_direct => EnteredCall::Function(Direct::again(&self.frame)),
            None => EnteredCall::Nothing,
        }
    }

    /// Lets other processes drop the tasks of this one again.
    pub(super) fn release(&mut self) {
        self.held.take();
    }

    /// Runs a function that needs no cell.
    #[inline]
    pub(super) fn direct<R: TermReturn>(&mut self, body: impl FnOnce() -> R) -> Encoded {
        // If the function panics, the handler finds the flag set.
        self.is_direct = true;
        let direct = Direct::new(&self.frame);
        direct.ended(body())
    }

    /// Answers a call that no clause matches.
    #[cold]
    pub(super) fn refuse(&self, clause: &RunningClause, refused: Vec<DecodeError>) -> RawTerm {
        #[cfg(feature = "calls")]
        observer::refused(clause);
        if clause.module.implements.is_none()
            && let Some(error) = refused.first()
        {
            return self.bad_argument(clause, error);
        }
        let origin = self.origin(clause.callback);
        let is_limit = refused.iter().any(DecodeError::is_limit);
        let refused = refused.into_iter();
        let is_secret = clause.module.is_secret();
        let refused = refused.map(|error| {
            let error = builds::explain(error, &origin);
            if is_secret {
                error.without_got(SECRET_TEXT)
            } else {
                error
            }
        });
        let reason = clause.refusal(refused.collect());
        match (
            self.bad_message(clause, is_limit),
            self.foreign(clause, &reason),
        ) {
            (Some(message), _) => message.refuse(clause, &reason),
            (None, Some(step)) => step.answer(self.frame.env.heap()),
            // Otherwise the VM would add the arguments of this call to the stack, however large or
            // secret they are.
            (None, None) => {
                let actions = self.frame.env.heap().list([]);
                ending::raised(self.frame.env, clause, actions, Exit::of_clause(reason))
            }
        }
    }

    /// Returns the step for a state that may belong to another version of the application.
    fn foreign(&self, clause: &RunningClause, reason: &Term) -> Option<Step<'a>> {
        let state = self.term(clause.callback.facts.state?);
        let is_resource = state.reference().is_some();
        // SAFETY: the term is an argument of this call.
        let is_cell = unsafe { CELLS.get(self.frame.env, state.raw()) }.is_some();
        if !is_resource || is_cell {
            return None;
        }
        let heap = self.frame.env.heap();
        let (module, function, arity) = clause.name();
        let arguments = heap.list((0..arity).map(|index| self.term(index)).collect::<Vec<_>>());
        let callback = heap.tuple([module.to_term(heap), function.to_term(heap), arguments]);
        Some(Step::foreign(heap, callback, state, reason.to_term(heap)))
    }

    /// Returns the origin of the callback's message.
    fn origin(&self, callback: &CallbackEntry) -> TermOrigin {
        let caller = |term: VmTerm<'a>| {
            let pid = Pid::from_term(term.tuple::<2>()?[0]).ok()?;
            Some(TermOrigin::of(&pid))
        };
        let facts = &callback.facts;
        let event_type = facts.event_type.map(|index| self.term(index));
        let known = match caller_of_message(facts, |index| Some(self.term(index))) {
            Some(from) => from.and_then(caller),
            None if facts.takes_messages() => event_type
                .filter(|event| event.is_atom(protocol::internal.atom()))
                .map(|_| TermOrigin::Here),
            None => Some(TermOrigin::Here),
        };
        known.unwrap_or(TermOrigin::Unknown)
    }

    /// Returns the message, if no clause matches it and the module refuses such messages. A message
    /// beyond a limit is always refused: OTP has no such limit, so its sender has not made a
    /// mistake that should end the process.
    fn bad_message(&self, clause: &RunningClause, is_limit: bool) -> Option<BadMessage<'a>> {
        let callback = clause.callback;
        let module = clause.module.implements.as_ref()?;
        let state = callback
            .facts
            .state
            .filter(|_| is_limit || module.refuses_bad_messages)?;
        // SAFETY: the term is an argument of this call; the reference to the future ends in the
        // closure.
        let is_own = unsafe {
            ProcessCell::open(self.frame.env, self.arguments[state])
                .is_some_and(|cell| !cell.is_busy())
        };
        let arguments = (0..self.arguments.len()).map(|index| self.term(index));
        let arguments: Vec<VmTerm<'a>> = arguments.collect();
        let message = BadMessage::of(self.frame.env, callback, &arguments);
        message.filter(|_| is_own)
    }

    /// Raises `error(badarg)` in the called function, with the error's text as its error info (EEP
    /// 54).
    fn bad_argument(&self, clause: &RunningClause, error: &DecodeError) -> RawTerm {
        let heap = self.frame.env.heap();
        let arguments = (0..self.arguments.len()).map(|index| self.term(index));
        let arguments = heap.list(arguments.collect::<Vec<_>>());
        let position = heap.unsigned(self.unread.get() as u64 + 1);
        let cause = heap.map([Some((position, error.to_string().to_term(heap)))]);
        let info = heap.map([
            Some((
                protocol::module_key.to_term(heap),
                heap.atom(&protocol::HELPER),
            )),
            Some((protocol::cause.to_term(heap), cause)),
        ]);
        let info = heap.tuple([protocol::error_info.to_term(heap), info]);
        let (module, function, _) = clause.name();
        let frame = heap.tuple([
            module.to_term(heap),
            function.to_term(heap),
            arguments,
            heap.list([info]),
        ]);
        let exception = [
            protocol::error.to_term(heap),
            protocol::badarg.to_term(heap),
        ];
        let stack = heap.list([frame]);
        Step::raise(heap, heap.list([]), exception, stack).answer(heap)
    }

    /// Returns whether this is `terminate`, or another callback at the end of a process, and the
    /// process never had a state: then the behaviour passes `[]` (`application:stop/1`). There is
    /// no state to clean up, and an error would hide the reason why the process ends.
    pub(super) fn ends_without_state(&self, callback: &CallbackEntry) -> bool {
        let index = callback.facts.state.filter(|_| callback.facts.ends());
        index.is_some_and(|index| self.term(index).is_empty_list())
    }

    #[cold]
    pub(super) fn not_the_state<T>(&self, term: RawTerm) -> DecodeError {
        // SAFETY: the term is an argument of this call; the references end in the closure.
        let is_busy =
            unsafe { ProcessCell::open(self.frame.env, term).is_some_and(|cell| cell.is_busy()) };
        let expected = if is_busy {
            "the state of a process whose callback is not under way".to_owned()
        } else {
            format!(
                "the state of this process, a `{}`",
                std::any::type_name::<T>()
            )
        };
        // SAFETY: as above.
        let term = unsafe { self.frame.env.term(term) };
        DecodeError::expected_text(expected, term).at_field("State")
    }

    fn term(&self, index: usize) -> VmTerm<'a> {
        // SAFETY: the arguments belong to the environment of this call.
        unsafe { self.frame.env.term(self.arguments[index]) }
    }
}
