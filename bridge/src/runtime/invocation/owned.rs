//! A call of a callback without a VM, for tests. The clauses are those of the VM; the term of the
//! state is ignored.

use std::any::Any;
use std::future::{Future, ready};
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
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
use crate::runtime::registry::{CallbackClauses, Module, RunningClause};
use crate::term::{Reader, say_texts};
use crate::{DecodeError, Term};

/// A call of a callback without a VM.
pub(crate) struct OwnedInvocation<'a> {
    pub(crate) cx: &'a Cx<'a>,
    pub(crate) arguments: &'a [Term],
    pub(crate) state: Option<&'a mut (dyn Any + Send)>,
    /// The future of the clause that was called.
    pub(crate) future: Option<ClauseFuture<'a>>,
}

/// The future of a clause. It has completed already if the clause does not wait.
pub(crate) type ClauseFuture<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

/// A clause that was called without a VM.
pub(crate) struct CalledClause<'a> {
    cx: &'a Cx<'a>,
    future: ClauseFuture<'a>,
    pub(crate) message: &'static str,
    pub(crate) location: &'static Location<'static>,
}

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
        callback: &'static CallbackClauses,
        owned: OwnedInvocation<'a>,
    ) -> Self {
        Self::of(Backend::Owned(owned, &callback.before))
    }

    /// Calls the first clause that matches the arguments.
    ///
    /// # Errors
    /// The reasons why no clause matches, or the exception of a clause that does not wait.
    pub(crate) fn call_without_vm(
        mut self,
        callback: &'static CallbackClauses,
    ) -> Result<CalledClause<'a>, NotReturned> {
        let chosen = caught(|| self.choose(&callback.clauses));
        if let Ok(Err(refused)) = chosen {
            return Err(NotReturned::Refused(self.running_clause().refusal(refused)));
        }
        let Backend::Owned(owned, RunningClause { clause, .. }) = self.backend else {
            unreachable!("made without a VM")
        };
        let raised = |exit: Exit| NotReturned::Raised(exit.at(clause.location));
        let _answer = chosen.map_err(raised)?;
        Ok(CalledClause {
            cx: owned.cx,
            future: owned.future.ok_or_else(not_called).map_err(raised)?,
            message: clause.message,
            location: clause.location,
        })
    }
}

impl<'a> CalledClause<'a> {
    /// Lets `run` poll the clause's future until it completes. Returns the term for Erlang, with
    /// the atom `state` for the state.
    ///
    /// # Errors
    /// The exception of the callback.
    pub(crate) async fn returned(
        self,
        run: impl AsyncFnOnce(ClauseFuture<'a>) -> Outcome,
    ) -> Result<Term, NotReturned> {
        let raised = |exit: Exit| NotReturned::Raised(exit.at(self.location));
        run(self.future).await.map_err(raised)?;
        let Here::Owned(call) = self.cx.here() else {
            unreachable!("made without a VM")
        };
        call.returned.take().ok_or_else(not_called).map_err(raised)
    }
}

fn not_called() -> Exit {
    Exit::error("the clause has not been called")
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

    /// Stores the future of the clause. Returns a placeholder for the answer to the VM.
    #[cold]
    pub(super) fn waits<F>(&mut self, future: F) -> Encoded
    where
        F: Future<Output = Outcome> + Send + 'a,
    {
        self.future = Some(Box::pin(future));
        Encoded::without_vm()
    }

    /// Stores the outcome of the clause. Returns a placeholder for the answer to the VM.
    #[cold]
    pub(super) fn ended(&mut self, outcome: Outcome) -> Encoded {
        self.waits(ready(outcome))
    }
}
