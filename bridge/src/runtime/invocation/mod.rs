//! One call of a callback: decodes its arguments and chooses its clause.
//!
//! Called from outside: by the NIF `callback`, by `testing` without a VM, and by the generated code of a clause, which asks
//! for its arguments. It does not know what becomes of a clause that was called.
#![allow(unsafe_code)]

mod bad_message;
#[cfg(feature = "coverage")]
mod coverage;
mod elsewhere;
mod owned;
mod vm;

use std::cell::OnceCell;

use crate::nif::{ClockTicks, RawTerm, Scheduler, VmEnv};
use crate::runtime::awaiting::caller::Caller;
use crate::runtime::cost::call_clock::CallClock;
use crate::runtime::failure::exit::TermReturn;
use crate::runtime::failure::unanswered::Responsible;
use crate::runtime::harness::function::Direct;
use crate::runtime::harness::running::Running;
use crate::runtime::harness::work::Work;
use crate::runtime::protocol;
use crate::runtime::raw::borrowed_argument::{Argument, BorrowScope};
use crate::runtime::raw::cell::ProcessCell;
use crate::runtime::raw::context::Cx;
use crate::runtime::raw::outcome::Outcome;
use crate::runtime::registry::arrival::Arrival;
use crate::runtime::registry::{
    CallbackEntry, ClauseEntry, InvokedBy, Module, ModuleEntry, RunningClause, Runs,
};
use crate::term::{BorrowTerm, without_texts};
use crate::{DecodeError, Term, ToTerm};
pub(crate) use bad_message::caller_of_message;
pub(crate) use owned::{NotReturned, OwnedInvocation, caught};
use vm::VmInvocation;

/// A call of a callback, as generated code sees it.
pub struct Invocation<'a> {
    /// The clause that is being tried.
    ///
    /// Apart from its module and callback, which do not change: if they lay together, a copy of them would wait until the
    /// processor has written this part.
    clause: &'static ClauseEntry,
    backend: Backend<'a>,
    /// While clauses are tried, errors carry no text.
    is_silent: bool,
    module: &'static ModuleEntry,
    callback: &'static CallbackEntry,
    /// While arguments are lent. It is dropped last, after what may hold them.
    borrow_scope: OnceCell<BorrowScope>,
}

impl InvokedBy for Runs {
    type Invocation<'a> = Invocation<'a>;
}

enum Backend<'a> {
    Vm(VmInvocation<'a>),
    /// A call of a test, without a VM.
    Owned(OwnedInvocation<'a>),
}

/// The arguments of a clause that works on its process's state.
#[doc(hidden)]
pub trait OnState<T>: Send + 'static {
    /// Calls the clause.
    fn run(self, state: &mut T, cx: &Cx<'_>) -> impl Work<Output = Outcome>;
}

/// The arguments of a clause without a state. The clause makes one, or its process has none.
#[doc(hidden)]
pub trait Stateless: Send + 'static {
    /// Calls the clause.
    fn run(self, cx: &Cx<'_>) -> impl Work<Output = Outcome>;
}

impl<'a> Invocation<'a> {
    /// A call of a callback with these arguments.
    pub(crate) fn new(
        env: VmEnv<'a>,
        callback: (&'static ModuleEntry, &'static CallbackEntry),
        arguments: &'a [RawTerm],
        scheduler: (Scheduler, CallClock<'a>, ClockTicks),
    ) -> Self {
        let vm = VmInvocation::new(env, arguments, scheduler);
        Self::before_a_clause(callback, Backend::Vm(vm))
    }

    /// A call of a callback no clause of which has been tried.
    #[inline]
    fn before_a_clause(
        (module, callback): (&'static ModuleEntry, &'static CallbackEntry),
        backend: Backend<'a>,
    ) -> Self {
        Invocation {
            clause: &ClauseEntry::NONE,
            backend,
            is_silent: false,
            module,
            callback,
            borrow_scope: OnceCell::new(),
        }
    }

    /// The clause that is being tried, with the names of its callback.
    #[inline]
    fn running_clause(&self) -> RunningClause {
        RunningClause {
            module: self.module,
            callback: self.callback,
            clause: self.clause,
        }
    }

    /// The same when its arguments have been decoded, and it is called.
    #[inline]
    fn called_clause(&self) -> RunningClause {
        let clause = self.running_clause();
        #[cfg(feature = "coverage")]
        coverage::ran(&clause);
        clause
    }

    /// Decodes an argument. `name` is its name in the `-callback` form, for the error's path.
    ///
    /// # Errors
    /// The term is not a `T`, its value takes more memory than a message may, or reading it would hold the scheduler.
    #[inline]
    pub fn argument<T: Argument>(
        &self,
        index: usize,
        name: &'static str,
    ) -> Result<T, DecodeError> {
        if T::BORROWS {
            self.borrow_scope.get_or_init(BorrowScope::begin);
        }
        match &self.backend {
            Backend::Vm(vm) => {
                // SAFETY: the arguments live during `'a`, and that scope ends with `self`, which is before that.
                vm.argument(self.callback, index, |view, reader| unsafe {
                    T::read(view, reader)
                })
            }
            Backend::Owned(owned) => {
                // SAFETY: as above.
                owned.argument(index, |view, reader| unsafe { T::read(view, reader) })
            }
        }
        .map_err(|error| error.at_field(name))
    }

    /// The same for a value that borrows from the argument.
    ///
    /// # Errors
    /// As [`Invocation::argument`].
    #[inline]
    pub fn borrowed<T: BorrowTerm>(
        &self,
        index: usize,
        name: &'static str,
    ) -> Result<T::Of<'a>, DecodeError> {
        match &self.backend {
            Backend::Vm(vm) => vm.argument(self.callback, index, T::borrow),
            Backend::Owned(owned) => owned.argument(index, T::borrow),
        }
        .map_err(|error| error.at_field(name))
    }

    /// From here on the clause has to reply to the callers in an argument, and what is its process's is this one's.
    #[inline]
    pub fn watch<T: Argument>(&self, argument: &mut T) {
        argument.watch(&|shown| {
            let process = match &self.backend {
                Backend::Vm(vm) => Some(vm.env.process()),
                Backend::Owned(_) => None,
            };
            if let Some(arrival) = shown.downcast_mut() {
                *arrival = Arrival(process);
            } else if let Some(server) = shown.downcast_mut() {
                *server = Some(Responsible {
                    clause: self.running_clause(),
                    process,
                    is_received: false,
                });
            }
        });
    }

    /// Decodes the caller of a request.
    ///
    /// # Errors
    /// The term is not a `{Client, Tag}`.
    pub fn caller<Reply>(
        &self,
        index: usize,
        name: &'static str,
    ) -> Result<Caller<Reply>, DecodeError> {
        let mut caller = self.argument(index, name)?;
        self.watch(&mut caller);
        Ok(caller)
    }

    /// Calls a clause with the state of the process. Everything that can fail happens before.
    ///
    /// # Errors
    /// The argument is not this process's state, or that has another type; or the clause is called on a scheduler of another kind.
    #[inline]
    pub fn on_state<T: Module, A: OnState<T>>(
        &mut self,
        index: usize,
        arguments: A,
    ) -> Result<(), DecodeError> {
        let arguments = self.here(arguments)?;
        let clause = self.called_clause();
        let vm = match &mut self.backend {
            Backend::Vm(vm) => vm,
            Backend::Owned(owned) => return owned.on_state(arguments),
        };
        let term = vm.arguments[index];
        // SAFETY: the term is an argument of this call.
        let cell = unsafe { ProcessCell::open(vm.env, term) };
        // SAFETY: this is a call of the owning process, because the cell could be opened. The references to the state and the future
        // end in these lines, except the one to the state that is handed on. No future can hold
        // another one, since there is no future, and `Running` guarantees that none outlives the
        // callback.
        let opened = unsafe {
            cell.filter(|cell| vm.hold(cell) && !cell.is_busy())
                .and_then(|cell| Some((cell, cell.state().get::<T>()?)))
        };
        let Some((cell, state)) = opened else {
            return Err(vm.not_the_state::<T>(term));
        };
        let begin = vm.enter(cell, term, clause, self.is_silent);
        vm.begun = Some(arguments.run(state, cell.cx()).begin(begin));
        Ok(())
    }

    /// Calls a clause that has no state. It may make one for its process, which is of the module
    /// `T`.
    ///
    /// # Errors
    /// The clause is called on a scheduler of another kind.
    pub fn stateless<T: Module, A: Stateless>(&mut self, arguments: A) -> Result<(), DecodeError> {
        let arguments = self.here(arguments)?;
        let clause = self.called_clause();
        let vm = match &mut self.backend {
            Backend::Vm(vm) => vm,
            Backend::Owned(owned) => return owned.stateless(arguments),
        };
        let (cell, term) = ProcessCell::create::<T>(vm.env);
        let begin = vm.enter(cell, term, clause, self.is_silent);
        vm.begun = Some(arguments.run(cell.cx()).begin(begin));
        Ok(())
    }

    /// Calls a function that awaits operations, asks something of its process or runs on another scheduler.
    ///
    /// # Errors
    /// It is called on a scheduler of another kind.
    pub fn function<A: Stateless>(&mut self, arguments: A) -> Result<(), DecodeError> {
        let arguments = self.here(arguments)?;
        let clause = self.called_clause();
        let vm = match &mut self.backend {
            Backend::Vm(vm) => vm,
            Backend::Owned(owned) => return owned.stateless(arguments),
        };
        let (cell, term) = ProcessCell::create_without_state(vm.env);
        let begin = vm.enter(cell, term, clause, self.is_silent);
        vm.begun = Some(arguments.run(cell.cx()).begin(begin));
        Ok(())
    }

    /// Calls a function that does nothing of the kind.
    ///
    /// # Errors
    /// It is called on a scheduler of another kind.
    #[inline]
    pub fn direct<R: TermReturn>(&mut self, body: impl FnOnce() -> R) -> Result<(), DecodeError> {
        let body = self.here(body)?;
        let clause = self.called_clause();
        match &mut self.backend {
            Backend::Vm(vm) => vm.direct(clause, body),
            Backend::Owned(owned) => owned.direct(body),
        }
        Ok(())
    }

    /// Runs the first clause that the arguments fit, until it ends or awaits its first operation. `None`: that, or reading the
    /// arguments, would hold the scheduler, and nothing has been run.
    #[inline]
    pub(crate) fn run(&mut self) -> Option<RawTerm> {
        let chosen = self.choose();
        let (clause, callback) = (self.running_clause(), self.callback);
        let Backend::Vm(vm) = &mut self.backend else {
            return None;
        };
        match chosen {
            Ok(()) => Some(vm.go_on()),
            Err(refused) if refused.iter().any(DecodeError::gives_way) => None,
            Err(_) if vm.ends_without_state(callback) => {
                Some(protocol::ok.to_term(vm.env.heap()).raw())
            }
            Err(refused) => Some(vm.refuse(&clause, refused)),
        }
    }

    /// Calls the first clause that the arguments fit.
    ///
    /// # Errors
    /// Why each clause refuses them; only one error if they are beyond a limit, which is the same for each clause.
    #[inline]
    fn choose(&mut self) -> Result<(), Vec<DecodeError>> {
        let clauses = self.callback.clauses;
        if let [only] = clauses {
            return self.attempt(only).map_err(|error| vec![error]);
        }
        // A clause that does not fit is not an error as long as another one does.
        self.is_silent = true;
        match without_texts(|| self.attempt_all(clauses)) {
            Ok(true) => return Ok(()),
            Ok(false) => self.is_silent = false,
            Err(limit) => return Err(vec![limit]),
        }
        let mut refused = Vec::new();
        for clause in clauses {
            match self.attempt(clause) {
                Ok(()) => return Ok(()),
                Err(error) => refused.push(error),
            }
        }
        Err(refused)
    }

    /// Runs the first clause that fits. Returns whether there is one.
    ///
    /// # Errors
    /// The arguments are beyond a limit, which is the same for each clause.
    #[inline]
    fn attempt_all(&mut self, clauses: &'static [ClauseEntry]) -> Result<bool, DecodeError> {
        for clause in clauses {
            match self.attempt(clause) {
                Ok(()) => return Ok(true),
                Err(error) if error.is_limit() => return Err(error),
                Err(_) => {}
            }
        }
        Ok(false)
    }

    #[inline]
    fn attempt(&mut self, clause: &'static ClauseEntry) -> Result<(), DecodeError> {
        self.clause = clause;
        (clause.run)(self)
    }

    /// The call of a function that needs no cell, if it is one.
    #[inline]
    pub(crate) fn running_directly(&self) -> Option<&Direct<'a>> {
        match &self.backend {
            Backend::Vm(vm) => vm.direct.as_ref(),
            Backend::Owned(_) => None,
        }
    }

    /// The process's cell, if this call has opened it.
    #[inline]
    pub(crate) fn running(&self) -> Option<&Running<'a>> {
        match &self.backend {
            Backend::Vm(vm) => vm.running.as_ref(),
            Backend::Owned(_) => None,
        }
    }
}

impl RunningClause {
    /// No clause fits: `{bad_term, Error}`, or `{no_clause, …}` when there are several clauses.
    #[cold]
    fn refusal(&self, mut refused: Vec<DecodeError>) -> Term {
        if refused.len() == 1 {
            return Term::of(&(protocol::bad_term, refused.remove(0)));
        }
        Term::of(&(protocol::no_clause, self.to_string(), refused))
    }
}
