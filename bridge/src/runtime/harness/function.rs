//! Functions of Erlang modules: what their types are, and the call of one that neither waits nor asks anything of its
//! process, and so needs no cell.

use std::any::Any;
use std::cell::Cell;

use super::ending;
use crate::nif::RawTerm;
use crate::runtime::cost::accounting;
use crate::runtime::failure::exit::{Exit, TermReturn};
use crate::runtime::failure::panics::Panic;
use crate::runtime::protocol::ok;
use crate::runtime::raw::frame::Frame;
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
#[derive(Clone, Copy)]
pub(crate) struct Direct<'a>(&'a Frame<'a>);

impl<'a> Direct<'a> {
    /// The function of the frame's clause runs from here on.
    #[inline]
    pub(in crate::runtime) fn new(frame: &'a Frame<'_>) -> Self {
        output::enter(frame.env.process(), frame.clause, frame.thread);
        frame.clock.enter(frame.began.get());
        Direct(frame)
    }

    /// The same, which has begun.
    #[inline]
    pub(in crate::runtime) fn again(frame: &'a Frame<'_>) -> Self {
        Direct(frame)
    }

    /// What the VM gets of the value.
    #[inline]
    pub(in crate::runtime) fn ended<R: TermReturn>(&self, returned: R) -> RawTerm {
        match returned.into_value() {
            Ok(value) => value.to_term(self.0.env.heap()).raw(),
            Err(exit) => self.raised(exit),
        }
    }

    #[cold]
    fn raised(&self, exit: Exit) -> RawTerm {
        ending::raised(self.0.env, &self.0.clause, self.0.env.heap().list([]), exit)
    }

    #[cold]
    pub(crate) fn panicked(&self, payload: Box<dyn Any + Send>) -> RawTerm {
        let panic = Panic::caught(payload);
        ending::panicked(
            self.0.env,
            &self.0.clause,
            self.0.env.heap().list([]),
            panic,
        )
    }

    /// The function has run. Tells the VM what the call has cost, and the user if that was much.
    #[inline]
    pub(crate) fn leave(&self, answer: RawTerm) -> RawTerm {
        let answer = output::leave(self.0.env, answer);
        if self.0.clock.end_unread() {
            return answer;
        }
        self.account(answer)
    }

    #[inline(never)]
    fn account(&self, answer: RawTerm) -> RawTerm {
        let began = self.0.began.get();
        let elapsed = self.0.clock.end(began);
        UNCHARGED.with(|uncharged| {
            let charge = u64::from(uncharged.get()) + elapsed.charged();
            uncharged.set(accounting::charge(self.0.env, charge));
        });
        let held = || self.0.clock.held(began);
        ending::accounted(
            self.0.env,
            &self.0.clause,
            (self.0.thread, false),
            elapsed,
            held,
            answer,
        )
    }
}
