//! A call of a callback without a VM, for tests. The clauses are those of the VM; the term of the
//! state is ignored.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;

use super::starter::{AnyStarter, ClauseStart};
use super::{Backend, Invocation};
use crate::nif::Encoded;
use crate::runtime::failure::exit::{Exit, Result, TermReturn};
use crate::runtime::failure::panics::Panic;
use crate::runtime::harness::returned::finish_term;
use crate::runtime::protocol::limits;
use crate::runtime::raw::context::{Cx, Here};
use crate::runtime::raw::outcome::Outcome;
use crate::runtime::registry::{CallbackEntry, Module, ModuleEntry, RunningClause};
use crate::term::{Reader, say_texts};
use crate::{DecodeError, Term};

/// A call of a callback without a VM.
pub(crate) struct OwnedInvocation<'a> {
    pub(crate) cx: &'a Cx<'a>,
    pub(crate) arguments: &'a [Term],
    pub(crate) state: Option<&'a mut (dyn Any + Send)>,
    /// Polls a callback's future until it completes.
    pub(crate) run: &'a mut Run<'a>,
    /// The outcome of the clause.
    pub(crate) outcome: Option<Outcome>,
    /// A panic of the test itself while it performed an operation of the clause. It fails the test,
    /// and is not an exit of the clause.
    pub(crate) panic: Option<Box<dyn Any + Send>>,
}

/// Polls a future until it completes.
pub(crate) type Run<'a> = dyn FnMut(Pin<&mut dyn Future<Output = Outcome>>) -> Outcome + 'a;

/// The reason why a callback has not returned a value.
pub(crate) enum NotReturned {
    /// No clause matches its arguments.
    Refused(Term),
    /// Its process ends.
    Raised(Exit),
}

/// Runs code of a callback. A panic becomes the exit of its process.
///
/// # Errors
/// `error({panic, …})`
pub(crate) fn caught<T>(body: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(body)).map_err(|payload| Exit::error(Panic::caught(payload)))
}

impl<'a> Invocation<'a> {
    /// Creates a call of a callback without a VM.
    pub(crate) fn without_vm(
        callback: (&'static ModuleEntry, &'static CallbackEntry),
        owned: OwnedInvocation<'a>,
    ) -> Self {
        let clause = RunningClause::before_a_clause(callback);
        Self::of(Backend::Owned(owned, clause))
    }

    /// Runs the first clause that matches the arguments until it completes. Returns the term for
    /// Erlang, with the atom `state` for the state.
    ///
    /// # Errors
    /// The reasons why no clause matches, or the exception of the callback.
    pub(crate) fn run_without_vm(mut self) -> Result<Term, NotReturned> {
        let chosen = caught(|| self.choose());
        if let Ok(Err(refused)) = chosen {
            return Err(NotReturned::Refused(self.running_clause().refusal(refused)));
        }
        let Backend::Owned(mut owned, RunningClause { clause, .. }) = self.backend else {
            unreachable!("made without a VM")
        };
        if let Some(panic) = owned.panic.take() {
            resume_unwind(panic);
        }
        let missing = || Exit::error("the clause has not been called");
        let raised = |exit: Exit| NotReturned::Raised(exit.at(clause.location));
        let _answer = chosen.map_err(raised)?;
        let outcome = owned.outcome.ok_or_else(missing).map_err(raised)?;
        outcome.map_err(raised)?;
        let Here::Owned(call) = owned.cx.here() else {
            unreachable!("made without a VM")
        };
        call.returned.take().ok_or_else(missing).map_err(raised)
    }
}

impl<'a> OwnedInvocation<'a> {
    #[cold]
    #[inline(never)]
    pub(super) fn argument<T>(
        &self,
        index: usize,
        read: impl FnOnce(&'a Term, Reader<'_>) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        let read = |reader: Reader<'_>| read(&self.arguments[index], reader);
        Reader::within(limits::message(), usize::MAX, read)
    }

    /// Returns the state and the context of the call.
    ///
    /// # Errors
    /// The state has another type.
    #[cold]
    pub(super) fn on_state<T: Module>(&mut self) -> Result<ClauseStart<'_, 'a, T>, DecodeError> {
        let state = self.state.take_if(|state| state.is::<T>());
        let Some(state) = state.and_then(|state| state.downcast_mut()) else {
            let expected = format!("the state, a `{}`", std::any::type_name::<T>());
            return Err(DecodeError::expected_text(expected, &Term::nil()).at_field("State"));
        };
        let (cx, starter) = self.stateless();
        Ok((state, cx, starter))
    }

    /// Returns the context of the call, for a clause without a state.
    #[cold]
    pub(super) fn stateless(&mut self) -> (&'a Cx<'a>, AnyStarter<'_, 'a>) {
        say_texts();
        (self.cx, AnyStarter::Owned(self))
    }

    #[cold]
    pub(super) fn direct<R: TermReturn>(&mut self, body: impl FnOnce() -> R) -> Encoded {
        say_texts();
        let outcome = finish_term(self.cx, body().into_value());
        self.ended(outcome)
    }

    /// Polls the future of the clause until it completes.
    #[cold]
    pub(super) fn run_to_end(&mut self, future: Pin<&mut dyn Future<Output = Outcome>>) -> Encoded {
        match catch_unwind(AssertUnwindSafe(|| (self.run)(future))) {
            Ok(outcome) => self.ended(outcome),
            Err(panic) => {
                self.panic = Some(panic);
                Encoded::without_vm()
            }
        }
    }

    /// Stores the outcome of the clause. Returns a placeholder for the answer to the VM.
    #[cold]
    pub(super) fn ended(&mut self, outcome: Outcome) -> Encoded {
        self.outcome = Some(outcome);
        Encoded::without_vm()
    }
}
