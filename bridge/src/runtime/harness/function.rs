//! Functions of Erlang modules: what their types are, and the call of one that neither waits nor asks anything of its
//! process, and so needs no cell.

use std::any::Any;
use std::cell::Cell;

use super::ending;
use crate::nif::{ClockTicks, RawTerm, Thread, VmEnv};
use crate::runtime::cost::accounting;
use crate::runtime::cost::call_clock::CallClock;
use crate::runtime::failure::exit::{Exit, TermReturn};
use crate::runtime::failure::panics::Panic;
use crate::runtime::protocol::ok;
use crate::runtime::registry::RunningClause;
use crate::runtime::{output, protocol};
use crate::term::{BorrowTerm, Reader};
use crate::{DecodeError, ErlangType, FromTerm, Heap, ToTerm, View};

/// Where the compiler says that the type of an argument is not a term.
pub const fn is_argument<T: FromTerm>() {}

/// The same for one that borrows from the term.
pub const fn is_borrowed_argument<T: BorrowTerm>() {}

/// The same for a function that may go on on another thread.
pub const fn is_sent_argument<T: FromTerm + Send + 'static>() {}

/// Where the compiler says that the type of a result is not a term.
pub const fn is_result<T: TermReturn>() {}

/// A function's `Result<(), E>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the result of a function of an Erlang module",
    label = "the error is a term (`#[derive(Term)]`) or an `Exit`"
)]
pub trait UnitOrError {
    /// What Erlang gets: `ok | {error, E}`, or `ok` if the error is raised.
    type Return: TermReturn;

    /// The same result.
    fn into_return(self) -> Self::Return;
}

#[diagnostic::do_not_recommend]
impl<E: ToTerm> UnitOrError for Result<(), E> {
    type Return = OkOrReason<E>;

    fn into_return(self) -> OkOrReason<E> {
        OkOrReason(self)
    }
}

impl UnitOrError for Result<(), Exit> {
    type Return = Result<ok, Exit>;

    fn into_return(self) -> Self::Return {
        self.map(|()| ok)
    }
}

/// What a function of another node has given back: the value of a function's [`TermReturn`].
pub trait RemoteResult {
    /// What the caller gets.
    type Value;

    /// Reads it.
    ///
    /// # Errors
    /// The term is not of the type.
    fn receive<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self::Value, DecodeError>;
}

impl<T: FromTerm> RemoteResult for T {
    type Value = T;

    fn receive<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<T, DecodeError> {
        T::__read(view, reader)
    }
}

impl<E: FromTerm> RemoteResult for OkOrReason<E> {
    type Value = Result<(), E>;

    fn receive<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self::Value, DecodeError> {
        if view.is_atom(protocol::ok.atom()) {
            return Ok(Ok(()));
        }
        match view.tuple::<2>() {
            Some([tag, error]) if tag.is_atom(protocol::error.atom()) => {
                let error = E::__read(error, reader).map_err(|error| error.at_element(1));
                Ok(Err(error?))
            }
            _ => Err(DecodeError::expected::<Self, V>(view)),
        }
    }
}

/// `ok | {error, E}`
#[derive(Debug)]
pub struct OkOrReason<E>(Result<(), E>);

impl<E: ErlangType> ErlangType for OkOrReason<E> {
    fn erlang_type() -> String {
        format!("ok | {{error, {}}}", E::erlang_type())
    }
}

#[diagnostic::do_not_recommend]
impl<E: ToTerm> ToTerm for OkOrReason<E> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        match &self.0 {
            Ok(()) => protocol::ok.to_term(heap),
            Err(error) => heap.tuple([protocol::error.to_term(heap), error.to_term(heap)]),
        }
    }
}

thread_local! {
    /// ClockTicks that have not been charged yet. They are less than a hundredth of a timeslice, and the next process
    /// that calls a function on this scheduler is charged with them.
    static UNCHARGED: Cell<u32> = const { Cell::new(0) };
}

/// A running call of such a function.
pub(crate) struct Direct<'a> {
    env: VmEnv<'a>,
    clause: RunningClause,
    thread: Thread,
    clock: CallClock<'a>,
    began: ClockTicks,
}

impl<'a> Direct<'a> {
    #[inline]
    pub(in crate::runtime) fn new(
        env: VmEnv<'a>,
        clause: RunningClause,
        thread: Thread,
        (clock, began): (CallClock<'a>, ClockTicks),
    ) -> Self {
        output::enter(env.process(), clause, thread);
        clock.enter(clause.clause, began);
        Direct {
            env,
            clause,
            thread,
            clock,
            began,
        }
    }

    /// What the VM gets of the value.
    #[inline]
    pub(in crate::runtime) fn ended<R: TermReturn>(&self, returned: R) -> RawTerm {
        match returned.into_value() {
            Ok(value) => value.to_term(self.env.heap()).raw(),
            Err(exit) => self.raised(exit),
        }
    }

    #[cold]
    fn raised(&self, exit: Exit) -> RawTerm {
        ending::raised(self.env, &self.clause, self.env.heap().list([]), exit)
    }

    #[cold]
    pub(crate) fn panicked(&self, payload: Box<dyn Any + Send>) -> RawTerm {
        let panic = Panic::caught(payload);
        ending::panicked(self.env, &self.clause, self.env.heap().list([]), panic)
    }

    /// The function has run. Tells the VM what the call has cost, and the user if that was much.
    #[inline]
    pub(crate) fn leave(&self, answer: RawTerm) -> RawTerm {
        let answer = output::leave(self.env, answer);
        let elapsed = self.clock.end(self.began);
        UNCHARGED.with(|uncharged| {
            let charge = u64::from(uncharged.get()) + elapsed.charged();
            uncharged.set(accounting::charge(self.env, charge));
        });
        let held = || self.clock.held(self.began);
        ending::accounted(
            self.env,
            &self.clause,
            (self.thread, false),
            elapsed,
            held,
            answer,
        )
    }
}
