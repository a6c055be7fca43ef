//! One call of a callback: decodes its arguments and chooses its clause.
//!
//! Its callers are the NIF `callback`, `testing` without a VM, and the generated code of a clause,
//! which requests its arguments. It does not know what happens after a clause was called.
#![allow(unsafe_code)]

mod arguments;
mod bad_message;
#[cfg(feature = "coverage")]
mod coverage;
mod elsewhere;
mod owned;
mod starter;
mod vm;

use std::cell::OnceCell;

use crate::nif::{Encoded, RawTerm, Scheduler, Thread, VmEnv, VmTerm};
use crate::runtime::cost::call_clock::CallClock;
use crate::runtime::failure::exit::TermReturn;
use crate::runtime::harness::work::Work;
use crate::runtime::protocol;
use crate::runtime::raw::borrowed_argument::{Argument, BorrowScope};
use crate::runtime::raw::context::Cx;
use crate::runtime::raw::frame::Frame;
use crate::runtime::raw::outcome::Outcome;
use crate::runtime::raw::owned_cell::OwnedCell;
use crate::runtime::registry::{CallbackClauses, InvokedBy, Module, RunningClause, Runs};
use crate::term::without_texts;
use crate::{DecodeError, Term, ToTerm};
pub(crate) use bad_message::caller_of_message;
pub(crate) use owned::{ClauseFuture, NotReturned, OwnedInvocation, caught};
pub(crate) use vm::EnteredCall;
use vm::VmInvocation;

/// A call of a callback, as generated code sees it.
pub struct Invocation<'a> {
    backend: Backend<'a>,
    /// While clauses are tried, errors have no text.
    is_silent: bool,
    /// Set while arguments borrow from the call. Dropped last, after all values that may hold them.
    borrow_scope: OnceCell<BorrowScope>,
}

impl InvokedBy for Runs {
    type Invocation<'a> = Invocation<'a>;
}

enum Backend<'a> {
    Vm(VmInvocation<'a>),
    /// A call of a test without a VM, and the clause that is being tried.
    Owned(OwnedInvocation<'a>, &'static RunningClause),
}

/// The arguments of a clause that works on its process's state.
#[doc(hidden)]
pub trait OnState<T>: Send + 'static {
    /// Calls the clause.
    fn run(self, state: &mut T, cx: &Cx<'_>) -> impl Work<Output = Outcome>;
}

/// The arguments of a clause without a state: it creates the state, or its process has none.
#[doc(hidden)]
pub trait Stateless: Send + 'static {
    /// Calls the clause.
    fn run(self, cx: &Cx<'_>) -> impl Work<Output = Outcome>;
}

impl<'a> Invocation<'a> {
    /// Creates a call of a callback with these arguments.
    pub(crate) fn new(
        env: VmEnv<'a>,
        callback: &'static CallbackClauses,
        arguments: &'a [RawTerm],
        (scheduler, clock): (Scheduler, CallClock<'a>),
    ) -> Self {
        let thread = Thread::of(scheduler);
        let frame = Frame::new(env, &callback.before, thread, clock);
        Self::of(Backend::Vm(VmInvocation::new(frame, arguments)))
    }

    #[inline]
    fn of(backend: Backend<'a>) -> Self {
        Invocation {
            backend,
            is_silent: false,
            borrow_scope: OnceCell::new(),
        }
    }

    /// Returns the clause that is being tried, with the names of its callback.
    #[inline]
    fn running_clause(&self) -> &'static RunningClause {
        match &self.backend {
            Backend::Vm(vm) => vm.frame.clause,
            Backend::Owned(_, clause) => clause,
        }
    }

    /// Records that the arguments were decoded and the clause is called.
    #[inline]
    fn called(&self) {
        #[cfg(feature = "coverage")]
        coverage::ran(self.running_clause());
    }

    /// Decodes an argument. `name` is its name in the `-callback` form, for the error's path.
    ///
    /// # Errors
    /// The term is not a `T`, its value takes more memory than the limit for messages, or reading
    /// it would hold the scheduler.
    #[inline(always)]
    pub fn argument<T: Argument>(
        &self,
        index: usize,
        name: &'static str,
    ) -> Result<T, DecodeError> {
        if T::BORROWS {
            self.borrow_scope.get_or_init(BorrowScope::begin);
        }
        match &self.backend {
            // Two closures, so that the first one has a single caller and becomes part of it.
            // SAFETY: the arguments live during `'a`, which ends after `self` and its scope.
            Backend::Vm(vm) => unsafe {
                vm.argument(index, |view, reader| T::read(view, reader))
                    .or_else(|error| {
                        vm.shortened(index, error, |view, reader| T::read(view, reader))
                    })
            },
            Backend::Owned(owned, _) => {
                // SAFETY: as above.
                owned.argument(index, |view, reader| unsafe { T::read(view, reader) })
            }
        }
        .map_err(|error| error.at_field(name))
    }

    /// Calls a clause with the state of the process. Everything that can fail happens before.
    ///
    /// # Errors
    /// The argument is not this process's state, or the state has another type; or the clause is
    /// called on a scheduler of another kind.
    #[inline]
    pub fn on_state<T: Module, A: OnState<T>>(
        &mut self,
        index: usize,
        arguments: A,
    ) -> Result<Encoded, DecodeError> {
        let arguments = self.here(arguments)?;
        self.called();
        let (state, cx, starter) = match &mut self.backend {
            Backend::Vm(vm) => vm.on_state::<T>(index, self.is_silent)?,
            Backend::Owned(owned, _) => owned.on_state::<T>()?,
        };
        // The only place that calls the clause, so that the compiler can inline it.
        Ok(arguments.run(state, cx).begin(starter))
    }

    /// Calls a clause without a state. It may create the state of its process, of the module `T`.
    ///
    /// # Errors
    /// The clause is called on a scheduler of another kind.
    pub fn stateless<T: Module, A: Stateless>(
        &mut self,
        arguments: A,
    ) -> Result<Encoded, DecodeError> {
        let arguments = self.here(arguments)?;
        self.called();
        let (cx, starter) = match &mut self.backend {
            Backend::Vm(vm) => {
                let made = OwnedCell::create::<T>(vm.frame.env);
                vm.enter_made(made, self.is_silent)
            }
            Backend::Owned(owned, _) => owned.stateless(),
        };
        Ok(arguments.run(cx).begin(starter))
    }

    /// Calls a function that awaits, sends requests to its process or runs on another scheduler.
    ///
    /// # Errors
    /// The function is called on a scheduler of another kind.
    pub fn function<A: Stateless>(&mut self, arguments: A) -> Result<Encoded, DecodeError> {
        let arguments = self.here(arguments)?;
        self.called();
        let (cx, starter) = match &mut self.backend {
            Backend::Vm(vm) => {
                let made = OwnedCell::create_without_state(vm.frame.env);
                vm.enter_made(made, self.is_silent)
            }
            Backend::Owned(owned, _) => owned.stateless(),
        };
        Ok(arguments.run(cx).begin(starter))
    }

    /// Calls a plain function: no await, same process, same scheduler.
    ///
    /// # Errors
    /// The function is called on a scheduler of another kind.
    #[inline]
    pub fn direct<R: TermReturn>(
        &mut self,
        body: impl FnOnce() -> R,
    ) -> Result<Encoded, DecodeError> {
        let body = self.here(body)?;
        self.called();
        Ok(match &mut self.backend {
            Backend::Vm(vm) => vm.direct(body),
            Backend::Owned(owned, _) => owned.direct(body),
        })
    }

    /// Runs the first clause that matches the arguments, until it completes or awaits its first
    /// operation. Returns `None`, before any user code runs, if this would hold the scheduler.
    #[inline]
    pub(crate) fn run(&mut self, callback: &'static CallbackClauses) -> Option<VmTerm<'a>> {
        let answer = match &*callback.clauses {
            [only] => match self.attempt(only) {
                Ok(answer) => answer,
                Err(error) => return self.refuse_only(error),
            },
            clauses => match self.choose(clauses) {
                Ok(answer) => answer,
                Err(refused) => return self.refuse(refused),
            },
        };
        match &self.backend {
            Backend::Vm(vm) => Some(vm.frame.encoded(answer)),
            Backend::Owned(..) => None,
        }
    }

    #[cold]
    #[inline(never)]
    fn refuse_only(&self, error: DecodeError) -> Option<VmTerm<'a>> {
        self.refuse(vec![error])
    }

    #[cold]
    #[inline(never)]
    fn refuse(&self, refused: Vec<DecodeError>) -> Option<VmTerm<'a>> {
        let clause = self.running_clause();
        let Backend::Vm(vm) = &self.backend else {
            return None;
        };
        match refused {
            refused if refused.iter().any(DecodeError::gives_way) => None,
            _ if vm.ends_without_state(clause.callback) => {
                Some(protocol::ok.to_term(vm.frame.env.heap()))
            }
            refused => Some(vm.refuse(clause, refused)),
        }
    }

    /// Calls the first clause that matches the arguments.
    ///
    /// # Errors
    /// The reasons why the clauses do not match. If the arguments are beyond a limit, which is the
    /// same for each clause, there is only one reason.
    #[inline(never)]
    fn choose(&mut self, clauses: &'static [RunningClause]) -> Result<Encoded, Vec<DecodeError>> {
        if let [only] = clauses {
            return self.attempt(only).map_err(|error| vec![error]);
        }
        // A clause that does not match is an error only if no other one does.
        self.is_silent = true;
        match without_texts(|| self.attempt_all(clauses)) {
            Ok(Some(answer)) => return Ok(answer),
            Ok(None) => self.is_silent = false,
            Err(limit) => return Err(vec![limit]),
        }
        let mut refused = Vec::new();
        for clause in clauses {
            match self.attempt(clause) {
                Ok(answer) => return Ok(answer),
                Err(error) => refused.push(error),
            }
        }
        Err(refused)
    }

    /// Runs the first clause that matches, if there is one.
    ///
    /// # Errors
    /// The arguments are beyond a limit, which is the same for each clause.
    #[inline]
    fn attempt_all(
        &mut self,
        clauses: &'static [RunningClause],
    ) -> Result<Option<Encoded>, DecodeError> {
        for clause in clauses {
            match self.attempt(clause) {
                Ok(answer) => return Ok(Some(answer)),
                Err(error) if error.is_limit() => return Err(error),
                Err(_) => {}
            }
        }
        Ok(None)
    }

    #[inline]
    fn attempt(&mut self, clause: &'static RunningClause) -> Result<Encoded, DecodeError> {
        match &mut self.backend {
            Backend::Vm(vm) => vm.frame.clause = clause,
            Backend::Owned(_, running) => *running = clause,
        }
        (clause.clause.run)(self)
    }

    /// Ends a call on a dirty scheduler: other processes may drop the tasks of this one again.
    pub(crate) fn release(&mut self) {
        if let Backend::Vm(vm) = &mut self.backend {
            vm.release();
        }
    }

    /// Ends a call that has returned this answer.
    #[inline]
    pub(crate) fn leave<'c>(&'c self, answer: VmTerm<'c>) -> VmTerm<'c> {
        match &self.backend {
            Backend::Vm(vm) => vm.leave(answer),
            Backend::Owned(..) => answer,
        }
    }

    /// Returns whether arguments borrow from the call. Otherwise, a call in the VM has nothing to
    /// drop.
    #[inline]
    pub(crate) fn is_borrowed(&self) -> bool {
        self.borrow_scope.get().is_some()
    }

    /// Returns what this call has entered.
    pub(crate) fn entered(&self) -> EnteredCall<'_> {
        match &self.backend {
            Backend::Vm(vm) => vm.entered(),
            Backend::Owned(..) => EnteredCall::Nothing,
        }
    }
}

impl RunningClause {
    /// Builds the reason if no clause matches: `{bad_term, Error}`, or `{no_clause, …}` for
    /// several.
    #[cold]
    fn refusal(&self, mut refused: Vec<DecodeError>) -> Term {
        if refused.len() == 1 {
            return Term::of(&(protocol::bad_term, refused.remove(0)));
        }
        Term::of(&(protocol::no_clause, self.to_string(), refused))
    }
}
