//! Functions of Erlang modules: checks of their types, and calls of functions that neither wait nor
//! send requests to their process, and so need no cell.

use std::any::Any;
use std::cell::Cell;

use super::ending;
#[cfg(feature = "calls")]
use crate::nif::duration_of;
use crate::nif::{Encoded, VmTerm};
#[cfg(feature = "calls")]
use crate::runtime::cost::observer;
use crate::runtime::cost::{accounting, under_way};
use crate::runtime::failure::exit::{Exit, TermReturn};
use crate::runtime::failure::panics::Panic;
use crate::runtime::output;
use crate::runtime::protocol::ok;
use crate::runtime::raw::frame::Frame;
use crate::term::BorrowTerm;
use crate::{FromTerm, Heap, ToTerm};

/// The position of the compiler's message if the type of an argument is not a term.
pub const fn is_argument<T: FromTerm>() {}

/// Like `is_argument`, for an argument that borrows from the term.
pub const fn is_borrowed_argument<T: BorrowTerm>() {}

/// Like `is_argument`, for a function that may be resumed on another thread.
pub const fn is_sent_argument<T: FromTerm + Send + 'static>() {}

/// The position of the compiler's message if the type of a result is not a term.
pub const fn is_result<T: TermReturn>() {}

/// A function's `Result<(), E>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the result of a function of an Erlang module",
    label = "the error is a term (`#[derive(Term)]`) or an `Exit`"
)]
pub trait UnitOrError {
    /// The value for Erlang: `ok | {error, E}`, or `ok` if the error is raised.
    type Return: TermReturn;

    /// Converts the result into that value.
    fn into_return(self) -> Self::Return;
}

#[diagnostic::do_not_recommend]
impl<E: ToTerm> UnitOrError for Result<(), E> {
    type Return = Self;

    fn into_return(self) -> Self {
        self
    }
}

impl UnitOrError for Result<(), Exit> {
    type Return = Result<ok, Exit>;

    fn into_return(self) -> Self::Return {
        self.map(|()| ok)
    }
}

thread_local! {
    /// Ticks that have not been charged yet. They are less than a hundredth of a timeslice, and are
    /// charged to the next process that calls a function on this scheduler.
    static UNCHARGED: Cell<u32> = const { Cell::new(0) };
}

/// A running call of such a function.
#[derive(Clone, Copy)]
pub(crate) struct Direct<'a>(&'a Frame<'a>);

impl<'a> Direct<'a> {
    /// Starts the function of the frame's clause.
    #[inline]
    pub(in crate::runtime) fn new(frame: &'a Frame<'_>) -> Self {
        let process = frame.env.process();
        output::enter(process, frame.clause, frame.thread);
        frame.clock.enter(process, frame.clause);
        if !frame.thread.is_normal_scheduler() {
            let began = frame.clock.began();
            under_way::dirty(frame.thread, began, (process, frame.clause));
        }
        Direct(frame)
    }

    /// Returns the running call of a function that was started by `new`.
    #[inline]
    pub(in crate::runtime) fn again(frame: &'a Frame<'_>) -> Self {
        Direct(frame)
    }

    /// Converts the function's result into the answer for the VM.
    #[inline]
    pub(in crate::runtime) fn ended<R: TermReturn>(&self, returned: R) -> Encoded {
        Encoded(match returned.into_value() {
            Ok(value) => value.to_term(self.0.env.heap()).raw(),
            Err(exit) => self.raised(exit).raw(),
        })
    }

    #[cold]
    fn raised(&self, exit: Exit) -> VmTerm<'a> {
        self.0.outcome.raised();
        ending::raised(self.0.env, self.0.clause, self.0.env.heap().list([]), exit)
    }

    #[cold]
    pub(crate) fn panicked(&self, payload: Box<dyn Any + Send>) -> VmTerm<'a> {
        let panic = Panic::caught(payload);
        self.0.outcome.panicked();
        ending::panicked(self.0.env, self.0.clause, self.0.env.heap().list([]), panic)
    }

    /// Ends the call: charges its cost in the VM, and reports the call if it was long.
    #[inline]
    pub(crate) fn leave(&self, answer: VmTerm<'a>) -> VmTerm<'a> {
        let answer = output::leave(self.0.env, answer);
        if self.0.clock.end_unread() {
            return answer;
        }
        self.account(answer)
    }

    #[inline(never)]
    fn account(&self, answer: VmTerm<'a>) -> VmTerm<'a> {
        let began = self.0.clock.began();
        let elapsed = self.0.clock.end();
        if !self.0.thread.is_normal_scheduler() {
            under_way::dirty_ended(self.0.env.process());
        }
        #[cfg(feature = "calls")]
        let answer = match observer::is_active() && elapsed.is_exact {
            true => {
                let ran = duration_of(elapsed.ticks);
                ending::observed(self.0, ran, Some((self.0.outcome.get(), ran)), answer)
            }
            false => answer,
        };
        UNCHARGED.with(|uncharged| {
            let charge = u64::from(uncharged.get()) + elapsed.charged();
            uncharged.set(accounting::charge(self.0.env, charge));
        });
        let held = || self.0.clock.held(began);
        ending::accounted(
            self.0.env,
            self.0.clause,
            (self.0.thread, false),
            elapsed,
            held,
            answer,
        )
    }
}
