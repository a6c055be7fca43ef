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
use crate::runtime::raw::context::Cx;
use crate::runtime::raw::frame::Frame;
use crate::runtime::raw::owned_cell::{OwnedCell, is_cell};
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
    cell: Option<OwnedCell<'a>>,
    /// Whether the clause is a function that needs no cell, and has been called.
    is_direct: bool,
    /// See [`VmInvocation::is_free`]. It has no destructor, because most calls hold nothing: the
    /// call releases it when it leaves.
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
        read: impl FnOnce(VmTerm<'a>, Reader<'_>) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        let slice = if self.is_on_normal() {
            limits::READ_AT_ONCE
        } else {
            usize::MAX
        };
        let term = self.term(index);
        Reader::within(limits::message(), slice, |reader| read(term, reader))
    }

    /// Decodes an argument again that could not be decoded: an exit reason may be decoded without
    /// its parts that are too large or too deep.
    ///
    /// # Errors
    /// The argument is not an exit reason, or cannot be decoded even without these parts.
    #[cold]
    #[inline(never)]
    pub(super) fn shortened<T>(
        &self,
        index: usize,
        error: DecodeError,
        read: impl FnOnce(VmTerm<'a>, Reader<'_>) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        self.unread.set(index);
        let is_cut = error.is_limit() && !error.gives_way();
        if !is_cut || !self.says_why(self.frame.clause.callback, index) {
            return Err(error);
        }
        let term = cut(self.frame.env.heap(), self.term(index));
        Reader::start(|reader| read(term, reader))
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
        let term = self.term(index);
        let opened = OwnedCell::open(self.frame.env, term).and_then(|cell| {
            let is_plain = self.is_on_normal() && cell.call().has_awaited().is_none();
            if !is_plain && !self.is_free(cell) {
                return None;
            }
            // SAFETY: the only other references are that of an earlier clause, which has ended, and
            // that of a future, which does not exist. `Running` guarantees that no future outlives
            // the callback that gets this reference.
            let state = unsafe { cell.state() }.get::<T>()?;
            Some((cell, state, is_plain))
        });
        let Some((cell, state, is_plain)) = opened else {
            return Err(self.not_the_state::<T>(term));
        };
        let running = self.enter((cell, term), (was_silent, is_plain));
        Ok((state, cell.cx(), AnyStarter::Vm(running)))
    }

    /// Returns whether the state may be used: no callback waits, and the process was not killed. On
    /// a dirty scheduler, no other process drops the tasks of this one until this call has ended.
    #[cold]
    fn is_free(&mut self, cell: OwnedCell<'a>) -> bool {
        if !self.is_on_normal() && self.held.is_none() {
            match cell.hold() {
                Some(held) => *self.held = held,
                None => return false,
            }
        }
        !cell.is_busy()
    }

    /// Marks the start of the user's code, with a new cell.
    #[inline]
    pub(super) fn enter_made(
        &mut self,
        made: (OwnedCell<'a>, VmTerm<'a>),
        was_silent: bool,
    ) -> (&'a Cx<'a>, AnyStarter<'_, 'a>) {
        let running = self.enter(made, (was_silent, false));
        (made.0.cx(), AnyStarter::Vm(running))
    }

    /// Marks the start of the user's code. A call is plain if it is on a normal scheduler, and its
    /// process has never awaited anything.
    #[inline]
    fn enter(
        &mut self,
        (cell, term): (OwnedCell<'a>, VmTerm<'a>),
        (was_silent, is_plain): (bool, bool),
    ) -> Running<'_> {
        if was_silent {
            say_texts();
        }
        // If the clause panics, the handler finds the cell there.
        self.cell = Some(cell);
        let running = Running::new((cell, term), &mut self.frame, is_plain);
        running.enter(is_plain);
        running
    }

    /// Ends a call that has returned this answer.
    #[inline]
    pub(super) fn leave<'c>(&'c self, answer: VmTerm<'c>) -> VmTerm<'c> {
        match self.cell {
            Some(cell) => Running::again(cell, &self.frame).leave(answer),
            None if self.is_direct => Direct::again(&self.frame).leave(answer),
            None => answer,
        }
    }

    /// Returns what this call has entered.
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
    pub(super) fn refuse(&self, clause: &RunningClause, refused: Vec<DecodeError>) -> VmTerm<'a> {
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
        let is_cell = is_cell(self.frame.env, state);
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
        let cell = OwnedCell::open(self.frame.env, self.term(state));
        let is_own = cell.is_some_and(|cell| !cell.is_busy());
        let arguments = (0..self.arguments.len()).map(|index| self.term(index));
        let arguments: Vec<VmTerm<'a>> = arguments.collect();
        let message = BadMessage::of(self.frame.env, callback, &arguments);
        message.filter(|_| is_own)
    }

    fn bad_argument(&self, clause: &RunningClause, error: &DecodeError) -> VmTerm<'a> {
        let arguments = (0..self.arguments.len()).map(|index| self.term(index));
        let arguments = self.frame.env.heap().list(arguments.collect::<Vec<_>>());
        ending::bad_argument(
            self.frame.env,
            clause,
            arguments,
            (self.unread.get(), error),
        )
    }

    /// Returns whether this is `terminate`, or another callback at the end of a process, and the
    /// process never had a state: then the behaviour passes `[]` (`application:stop/1`). There is
    /// no state to clean up, and an error would hide the reason why the process ends.
    pub(super) fn ends_without_state(&self, callback: &CallbackEntry) -> bool {
        let index = callback.facts.state.filter(|_| callback.facts.ends());
        index.is_some_and(|index| self.term(index).is_empty_list())
    }

    #[cold]
    pub(super) fn not_the_state<T>(&self, term: VmTerm<'a>) -> DecodeError {
        let cell = OwnedCell::open(self.frame.env, term);
        let is_busy = cell.is_some_and(OwnedCell::is_busy);
        let expected = if is_busy {
            "the state of a process whose callback is not under way".to_owned()
        } else {
            format!(
                "the state of this process, a `{}`",
                std::any::type_name::<T>()
            )
        };
        DecodeError::expected_text(expected, term).at_field("State")
    }

    fn term(&self, index: usize) -> VmTerm<'a> {
        // SAFETY: the arguments belong to the environment of this call.
        unsafe { self.frame.env.term(self.arguments[index]) }
    }
}
