//! What runs on this thread right now: the link between a future that is being polled and the
//! process it runs for.
#![allow(unsafe_code)]

use std::cell::{Cell, RefCell};
use std::task::Poll;

use rustler::sys::{ErlNifEnv, ErlNifTerm};

use super::cell::ProcessCell;
use super::tickets::{Ticket, Tickets};
use super::{VmHeap, VmTerm};
use crate::process::{Exit, Operation};
use crate::registry::Module;
use crate::term::OwnedHeap;
use crate::{ErlangType, Heap, Pid, Term, ToTerm, View, protocol};

/// One polling of a future, in the VM or in a test.
pub(crate) enum Frame<'a> {
    Vm(VmFrame<'a>),
    /// Without a VM: operations and sent terms are kept for whoever polls.
    Owned(OwnedFrame),
}

/// A NIF call.
pub(crate) struct VmFrame<'a> {
    pub(crate) env: *mut ErlNifEnv,
    pub(crate) cell: &'a ProcessCell,
    /// The cell as a term of this call.
    pub(crate) cell_term: ErlNifTerm,
    /// The answer to the operation that the future waits for.
    pub(crate) answer: Cell<Option<ErlNifTerm>>,
    /// The operation that it asks for.
    pub(crate) request: Cell<Option<ErlNifTerm>>,
}

/// A poll without a VM.
pub(crate) struct OwnedFrame {
    pub(crate) own_pid: Pid,
    pub(crate) answer: RefCell<Option<Term>>,
    pub(crate) request: RefCell<Option<Term>>,
    pub(crate) tickets: Tickets,
}

thread_local! {
    static CURRENT: Cell<Option<*const Frame<'static>>> = const { Cell::new(None) };
}

/// Runs `body` with `frame` as the current one.
pub(crate) fn enter<T>(frame: &Frame<'_>, body: impl FnOnce() -> T) -> T {
    struct Restore(Option<*const Frame<'static>>);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0);
        }
    }
    let _restore = Restore(CURRENT.replace(Some(std::ptr::from_ref(frame).cast())));
    body()
}

/// Whether a callback runs on this thread.
pub(crate) fn is_running() -> bool {
    CURRENT.get().is_some()
}

pub(crate) fn with<T>(body: impl FnOnce(&Frame<'_>) -> T) -> T {
    let Some(frame) = CURRENT.get() else {
        panic!("this can only be used while a callback runs");
    };
    // SAFETY: `enter` set the pointer from a reference that lives until `enter` returns, and
    // takes it back before; the frame is of this thread.
    body(unsafe { &*frame })
}

/// Asks for an operation; `None` when another is under way.
pub(crate) fn request<O: Operation>(operation: &O) -> Option<Ticket> {
    with(|frame| match frame {
        Frame::Vm(vm) => {
            let ticket = vm.cell.tickets.issue()?;
            vm.request.set(Some(operation.request(vm.heap()).raw()));
            Some(ticket)
        }
        Frame::Owned(owned) => {
            let ticket = owned.tickets.issue()?;
            *owned.request.borrow_mut() = Some(operation.request(OwnedHeap));
            Some(ticket)
        }
    })
}

/// The outcome of the operation that `ticket` names, if it is there.
pub(crate) fn answer<O: Operation>(ticket: Ticket) -> Poll<Result<O::Output, Exit>> {
    with(|frame| match frame {
        Frame::Vm(vm) => {
            let Some(raw) = vm.answer.get() else {
                return Poll::Pending;
            };
            if !vm.cell.tickets.redeem(ticket) {
                return Poll::Pending;
            }
            vm.answer.set(None);
            Poll::Ready(outcome::<O, _>(vm.view(raw)))
        }
        Frame::Owned(owned) => {
            let Some(answer) = owned.answer.borrow().clone() else {
                return Poll::Pending;
            };
            if !owned.tickets.redeem(ticket) {
                return Poll::Pending;
            }
            *owned.answer.borrow_mut() = None;
            Poll::Ready(outcome::<O, _>(&answer))
        }
    })
}

/// Gives up the operation that `ticket` names, as whoever waited for it is gone: another one may be
/// asked for. Outside of a poll there is nothing to give up: all of the callback goes.
pub(crate) fn give_up(ticket: Ticket) {
    if !is_running() {
        return;
    }
    with(|frame| match frame {
        Frame::Vm(vm) if vm.cell.tickets.redeem(ticket) => {
            vm.answer.set(None);
            vm.request.set(None);
        }
        Frame::Owned(owned) if owned.tickets.redeem(ticket) => {
            *owned.answer.borrow_mut() = None;
            *owned.request.borrow_mut() = None;
        }
        Frame::Vm(_) | Frame::Owned(_) => {}
    });
}

/// Reads `{ok, Value} | {Class, Reason}`.
fn outcome<'a, O: Operation, V: View<'a>>(answer: V) -> Result<O::Output, Exit> {
    match answer.tuple::<2>() {
        Some([tag, value]) if tag.is_atom(protocol::ok.atom()) => O::answer(value),
        Some([class, reason]) => Err(Exit::caught(class, reason)),
        None => Err(Exit::error("the Erlang side answered with no pair")),
    }
}

/// A value on the heap of the running call, for the callback's return value.
#[derive(Debug, PartialEq)]
pub struct Encoded(pub(crate) EncodedTerm);

#[derive(Debug, PartialEq)]
pub(crate) enum EncodedTerm {
    /// Belongs to the environment of the running NIF call, which returns it at once.
    Vm(ErlNifTerm),
    Owned(Term),
}

// SAFETY: a word or plain data. A future ends with it in the very poll that made it, so it
// never reaches another thread; the bound is asked for because the future could.
unsafe impl Send for Encoded {}

pub(crate) fn encode(value: &impl ToTerm) -> Encoded {
    with(|frame| match frame {
        Frame::Vm(vm) => Encoded(EncodedTerm::Vm(value.to_term(vm.heap()).raw())),
        Frame::Owned(_) => Encoded(EncodedTerm::Owned(value.to_term(OwnedHeap))),
    })
}

/// Stands for the state in a callback's return value.
#[derive(Debug, Clone, Copy)]
pub struct StateRef {
    _own: (),
}

impl ErlangType for StateRef {
    fn erlang_type() -> String {
        "reference()".to_owned()
    }
}

impl ToTerm for StateRef {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        with(|frame| match frame {
            Frame::Vm(vm) => heap.vm_term(vm.view(vm.cell_term)),
            Frame::Owned(_) => protocol::state.to_term(heap),
        })
    }
}

/// Puts the state into the process. Without a VM it is dropped: tests look at the return value.
pub(crate) fn keep<T: Module>(state: T) -> StateRef {
    with(|frame| match frame {
        // SAFETY: the frame is of a NIF call in the owning process (`Invocation` checks it), and
        // no reference to the state slot outlives the call that made it.
        Frame::Vm(vm) => unsafe { vm.cell.state() }.put(state),
        Frame::Owned(_) => drop(state),
    });
    StateRef { _own: () }
}

impl OwnedFrame {
    pub(crate) fn new(own_pid: Pid) -> Self {
        OwnedFrame {
            own_pid,
            answer: RefCell::default(),
            request: RefCell::default(),
            tickets: Tickets::default(),
        }
    }
}

impl VmFrame<'_> {
    pub(crate) fn heap(&self) -> VmHeap<'_> {
        // SAFETY: the frame lives no longer than the NIF call of `env`.
        unsafe { VmHeap::new(self.env) }
    }

    fn view(&self, raw: ErlNifTerm) -> VmTerm<'_> {
        // SAFETY: `raw` is an argument of the NIF call of `env`.
        unsafe { VmTerm::new(self.env, raw) }
    }
}
