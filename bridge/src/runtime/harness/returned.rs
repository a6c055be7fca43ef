//! Builds the term of a callback's return value.

use crate::nif::{Encoded, RawTerm};
use crate::runtime::failure::exit::Exit;
use crate::runtime::protocol;
use crate::runtime::protocol::limits::WRITTEN_AT_ONCE;
use crate::runtime::raw::awaited::Unencoded;
use crate::runtime::raw::context::{Cx, Here, Now, OwnedCall};
use crate::runtime::raw::outcome::Outcome;
use crate::runtime::raw::owned_cell::OwnedCell;
use crate::runtime::registry::{Itself as _, Module, ModuleEntry};
use crate::term::{OwnedHeap, is_longer_than};
use crate::{Heap, Term, ToTerm};

/// The return value of a callback, as the generated enums define it: without the state, which stays
/// in its process.
pub trait Returned {
    /// Builds the term, with `state` at the position of the state in the `-callback` form.
    fn to_term<H: Heap>(&self, heap: H, state: H::Term) -> H::Term;

    /// Returns the mistake in the value, if OTP would refuse it from this module although it has
    /// the right type.
    fn refusal(&self, module: Option<&ModuleEntry>) -> Option<String> {
        let _ = module;
        None
    }
}

/// Encodes the return value of a callback.
#[doc(hidden)]
#[inline(always)]
pub fn finish<V: Returned + Send + 'static>(cx: &Cx<'_>, value: Result<V, Exit>) -> Outcome {
    let value = value?;
    let here = cx.here();
    let module = match &here {
        Here::Vm(_, now) => Some(now.module()),
        Here::Owned(call) => call.module,
    };
    if let Some(refusal) = value.refusal(module) {
        return Err(Exit::of_clause((protocol::bad_return_value, refusal)));
    }
    match here {
        Here::Vm(call, now) => {
            if !now.is_dirty() && is_longer_than(WRITTEN_AT_ONCE, |scale| value.to_term(scale, ()))
            {
                call.awaiting().later.set(Some(Box::new(value)));
                return Ok(Encoded::without_vm());
            }
            Ok(Encoded(encoded(&value, &now)))
        }
        Here::Owned(call) => Ok(returned_without_vm(call, term_without_vm(&value))),
    }
}

#[cold]
#[inline(never)]
fn term_without_vm(value: &impl Returned) -> Term {
    value.to_term(OwnedHeap, protocol::state.to_term(OwnedHeap))
}

#[inline(always)]
fn encoded(value: &impl Returned, now: &Now<'_>) -> RawTerm {
    value.to_term(now.heap(), now.state()).raw()
}

impl<V: Returned + Send> Unencoded for V {
    fn encode(&self, now: &Now<'_>) -> RawTerm {
        encoded(self, now)
    }
}

/// Encodes the return value of a callback, as the last part of that callback.
pub(in crate::runtime) async fn encode_later(cx: &Cx<'_>, value: Box<dyn Unencoded>) -> Outcome {
    match cx.here() {
        Here::Vm(_, now) => Ok(Encoded(value.encode(&now))),
        Here::Owned(_) => Err(Exit::error(protocol::badarg)),
    }
}

/// Encodes a return value of any type that is a term.
#[doc(hidden)]
#[inline]
pub fn finish_term<V: ToTerm>(cx: &Cx<'_>, value: Result<V, Exit>) -> Outcome {
    let value = value?;
    match cx.here() {
        Here::Vm(_, env) => Ok(Encoded(value.to_term(env.heap()).raw())),
        Here::Owned(call) => Ok(returned_without_vm(call, value.to_term(OwnedHeap))),
    }
}

/// Stores a new state that a callback has created. The process owns it then.
#[doc(hidden)]
pub fn keep<T: Module>(cx: &Cx<'_>, state: T) {
    let state = T::Moved::of(state);
    match cx.here() {
        Here::Vm(call, now) => {
            // If the callback borrows the state, the cell has a state already, and does not store
            // this one.
            let refused = match OwnedCell::open(*now, now.state()) {
                Some(cell) => cell.begin_with::<T>(state),
                None => Some(state),
            };
            if let Some(state) = refused {
                call.made.set(Some(Box::new(Box::new(state))));
            }
        }
        Here::Owned(call) => *call.made.borrow_mut() = Some(Box::new(state)),
    }
}

/// Stores the term in the call without a VM. The returned `RawTerm` is a placeholder.
#[cold]
fn returned_without_vm(call: &OwnedCall, value: Term) -> Encoded {
    *call.returned.borrow_mut() = Some(value);
    Encoded::without_vm()
}
