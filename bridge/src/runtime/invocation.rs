//! One call of a callback: decodes its arguments and chooses its clause.
#![allow(unsafe_code)]

use std::cell::Cell;

use super::bad_message::BadMessage;
use super::caller::Responsible;
use super::cell::ProcessCell;
use super::context::Cx;
use super::exit::TermReturn;
use super::function::Direct;
use super::limits;
use super::protocol;
use super::registry::{CallbackEntry, Clause, Module, ModuleEntry, RunningClause};
use super::running::{Begin, Begun, Running};
use super::step::Step;
use super::work::Work;
use super::{Caller, Outcome};
use crate::nif::{Env, RawTerm, Scheduler, Thread, Ticks, VmTerm};
use crate::term::{Reader, say_texts, without_texts};
use crate::{DecodeError, FromTerm, Heap, Term, ToTerm, View};

/// A call of a callback, as generated code sees it.
pub struct Invocation<'a> {
    env: Env<'a>,
    module: &'static ModuleEntry,
    callback: &'static CallbackEntry,
    /// The clause that is being tried.
    clause: &'static Clause,
    arguments: &'a [RawTerm],
    /// The kind of scheduler that the call is on.
    scheduler: Scheduler,
    began: Ticks,
    /// The process's cell, if this call has opened it.
    running: Option<Running<'a>>,
    /// The call of a function that needs no cell.
    direct: Option<Direct<'a>>,
    begun: Option<Begun>,
    /// The position of the last argument that could not be read.
    unread: Cell<usize>,
    /// While clauses are tried, errors carry no text.
    is_silent: bool,
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
        env: Env<'a>,
        (module, callback): (&'static ModuleEntry, &'static CallbackEntry),
        arguments: &'a [RawTerm],
        (scheduler, began): (Scheduler, Ticks),
    ) -> Self {
        Invocation {
            env,
            module,
            callback,
            clause: &Clause::NONE,
            arguments,
            scheduler,
            began,
            running: None,
            direct: None,
            begun: None,
            unread: Cell::new(0),
            is_silent: false,
        }
    }

    /// Decodes an argument. `name` is its name in the `-callback` form, for the error's path.
    ///
    /// # Errors
    /// The term is not a `T`, its value takes more memory than a message may, or reading it would hold the scheduler.
    #[inline]
    pub fn argument<T: FromTerm>(
        &self,
        index: usize,
        name: &'static str,
    ) -> Result<T, DecodeError> {
        let read = |reader: Reader<'_>| T::__read(self.term(index), reader);
        let slice = match self.scheduler {
            Scheduler::Normal => limits::READ_AT_ONCE,
            Scheduler::DirtyCpu | Scheduler::DirtyIo => usize::MAX,
        };
        Reader::within(limits::message(), slice, read).map_err(|error| {
            self.unread.set(index);
            error.at_field(name)
        })
    }

    /// From here on the clause has to reply to the callers in an argument.
    #[inline]
    pub fn watch<T: FromTerm>(&self, argument: &mut T) {
        argument.__watch(&|server| {
            if let Some(server) = server.downcast_mut() {
                *server = Some(Responsible {
                    clause: self.running_clause(),
                    process: self.env.process(),
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
    /// The argument is not this process's state, or that has another type.
    #[inline]
    pub fn on_state<T: Module, A: OnState<T>>(
        &mut self,
        index: usize,
        arguments: A,
    ) -> Result<(), DecodeError> {
        let term = self.arguments[index];
        // SAFETY: the term is an argument of this call. The references to the state and the future
        // end in these lines, except the one to the state that is handed on. No future can hold
        // another one, since there is no future, and `Running` guarantees that none outlives the
        // callback.
        let opened = unsafe {
            ProcessCell::open(self.env, term)
                .filter(|cell| !cell.is_busy())
                .and_then(|cell| Some((cell, cell.state().get::<T>()?)))
        };
        let Some((cell, state)) = opened else {
            return Err(self.not_the_state::<T>(term));
        };
        let begin = self.enter(cell, term);
        self.begun = Some(arguments.run(state, cell.cx()).begin(begin));
        Ok(())
    }

    /// Calls a clause that has no state. It may make one for its process, which is of the module
    /// `T`.
    ///
    /// # Errors
    /// None: the arguments are already decoded.
    pub fn stateless<T: Module, A: Stateless>(&mut self, arguments: A) -> Result<(), DecodeError> {
        let (cell, term) = ProcessCell::create::<T>(self.env);
        let begin = self.enter(cell, term);
        self.begun = Some(arguments.run(cell.cx()).begin(begin));
        Ok(())
    }

    /// Calls a function that awaits operations, asks something of its process or runs on another scheduler.
    ///
    /// # Errors
    /// None: the arguments are already decoded.
    pub fn function<A: Stateless>(&mut self, arguments: A) -> Result<(), DecodeError> {
        let (cell, term) = ProcessCell::create_without_state(self.env);
        let begin = self.enter(cell, term);
        self.begun = Some(arguments.run(cell.cx()).begin(begin));
        Ok(())
    }

    /// Calls a function that does nothing of the kind.
    ///
    /// # Errors
    /// None: the arguments are already decoded.
    #[inline]
    pub fn direct<R: TermReturn>(&mut self, body: impl FnOnce() -> R) -> Result<(), DecodeError> {
        let thread = Thread::of(self.scheduler);
        let direct = Direct::new(self.env, self.running_clause(), thread, self.began);
        // A panic in the function finds it there.
        let direct = self.direct.insert(direct);
        self.begun = Some(Begun::Encoded(direct.ended(body())));
        Ok(())
    }

    /// The user's code runs from here on.
    #[inline]
    fn enter(&mut self, cell: &'a ProcessCell, term: RawTerm) -> Begin<'a> {
        if self.is_silent {
            say_texts();
        }
        let clause = self.running_clause();
        let thread = Thread::of(self.scheduler);
        let running = Running::new(self.env, cell, term, self.began, thread, clause);
        self.running.insert(running).enter()
    }

    /// Runs the first clause that the arguments fit, until it ends or awaits its first operation. `None`: reading the
    /// arguments would hold the scheduler, and nothing has been run.
    pub(crate) fn run(&mut self) -> Option<RawTerm> {
        let clauses = self.callback.clauses;
        if let [only] = clauses {
            return match self.attempt(only) {
                Ok(()) => Some(self.go_on()),
                Err(error) => self.refuse_or_give_way(error),
            };
        }
        // A clause that does not fit is not an error as long as another one does.
        self.is_silent = true;
        match without_texts(|| self.attempt_all(clauses)) {
            Ok(true) => return Some(self.go_on()),
            Ok(false) => self.is_silent = false,
            Err(limit) => return self.refuse_or_give_way(limit),
        }
        let mut refused = Vec::new();
        for clause in clauses {
            match self.attempt(clause) {
                Ok(()) => return Some(self.go_on()),
                Err(error) => refused.push(error),
            }
        }
        Some(self.refuse(refused))
    }

    /// Runs the first clause that fits. Returns whether there is one.
    ///
    /// # Errors
    /// The arguments are beyond a limit, which is the same for each clause.
    #[inline]
    fn attempt_all(&mut self, clauses: &'static [Clause]) -> Result<bool, DecodeError> {
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
    fn attempt(&mut self, clause: &'static Clause) -> Result<(), DecodeError> {
        self.clause = clause;
        (clause.run)(self)
    }

    #[inline]
    fn go_on(&mut self) -> RawTerm {
        match (&self.running, self.begun.take()) {
            (_, Some(Begun::Encoded(answer))) => answer,
            (Some(running), Some(begun)) => running.begun(begun),
            _ => self.env.badarg(),
        }
    }

    /// The process's cell, if this call has opened it.
    #[inline]
    pub(crate) fn running(&self) -> Option<&Running<'a>> {
        self.running.as_ref()
    }

    /// The call of a function that needs no cell, if it is one.
    #[inline]
    pub(crate) fn running_directly(&self) -> Option<&Direct<'a>> {
        self.direct.as_ref()
    }

    fn refuse_or_give_way(&self, error: DecodeError) -> Option<RawTerm> {
        (!error.gives_way()).then(|| self.refuse(vec![error]))
    }

    /// No clause fits: `{bad_term, Error}`, or `{no_clause, …}` when there are several clauses.
    #[cold]
    fn refuse(&self, mut refused: Vec<DecodeError>) -> RawTerm {
        if self.ends_without_state() {
            return protocol::ok.to_term(self.env.heap()).raw();
        }
        if self.module.implements.is_none()
            && let Some(error) = refused.first()
        {
            return self.bad_argument(error);
        }
        let reason = match refused.len() {
            1 => Term::of(&(protocol::bad_term, refused.remove(0))),
            _ => {
                let callback = self.running_clause().to_string();
                Term::of(&(protocol::no_clause, callback, refused))
            }
        };
        match self.bad_message() {
            Some(message) => message.refuse(&self.running_clause(), &reason),
            None => self.env.raise(&reason),
        }
    }

    /// The message, if the module refuses those that no clause takes, and this is one.
    fn bad_message(&self) -> Option<BadMessage<'a>> {
        let callback = self.callback;
        let module = self.module.implements.as_ref()?;
        let state = callback.state.filter(|_| module.refuses_bad_messages)?;
        // SAFETY: the term is an argument of this call; the reference to the future ends in the closure.
        let is_own = unsafe {
            ProcessCell::open(self.env, self.arguments[state]).is_some_and(|cell| !cell.is_busy())
        };
        let arguments = (0..self.arguments.len()).map(|index| self.term(index));
        let arguments: Vec<VmTerm<'a>> = arguments.collect();
        let message = BadMessage::of(self.env, module.behaviour.name, callback, &arguments);
        message.filter(|_| is_own)
    }

    /// `error(badarg)` in the called function, with what is wrong as its error info (EEP 54).
    fn bad_argument(&self, error: &DecodeError) -> RawTerm {
        let heap = self.env.heap();
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
        let (module, function, _) = self.running_clause().name();
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

    /// Whether this is `terminate`, or another callback at the end of a process, and the process
    /// never had a state: then the behaviour passes `[]` (`application:stop/1`). There is nothing
    /// to end, and an error would hide the reason for which the process ends.
    fn ends_without_state(&self) -> bool {
        let index = self.callback.state.filter(|_| self.callback.ends);
        index.is_some_and(|index| self.term(index).is_empty_list())
    }

    #[cold]
    fn not_the_state<T>(&self, term: RawTerm) -> DecodeError {
        // SAFETY: the term is an argument of this call; the references end in the closure.
        let is_busy =
            unsafe { ProcessCell::open(self.env, term).is_some_and(|cell| cell.is_busy()) };
        let expected = match is_busy {
            true => "the state of a process whose callback is not under way".to_owned(),
            false => format!(
                "the state of this process, a `{}`",
                std::any::type_name::<T>()
            ),
        };
        // SAFETY: as above.
        let term = unsafe { self.env.term(term) };
        DecodeError::expected_text(expected, term).at_field("State")
    }

    fn running_clause(&self) -> RunningClause {
        RunningClause {
            module: self.module,
            callback: self.callback,
            clause: self.clause,
        }
    }

    fn term(&self, index: usize) -> VmTerm<'a> {
        // SAFETY: the arguments belong to the environment of this call.
        unsafe { self.env.term(self.arguments[index]) }
    }
}
