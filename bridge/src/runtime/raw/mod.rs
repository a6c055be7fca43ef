//! The `unsafe` parts of running callbacks: a process's cell with its slots, the context with the
//! call that it belongs to, wakers, and arguments that borrow from a call's terms.
//!
//! Its callers are all code that runs callbacks. It knows where a callback's data are and which
//! code may access them, but not what a callback does: that is `harness`.
//!
//! # Proofs
//!
//! The type of a reference to a cell determines what its holder may do with the cell:
//!
//! | type | holder | allows |
//! |---|---|---|
//! | [`OwnedCell`](owned_cell::OwnedCell) | a NIF call of the owner, on a scheduler of any kind, on the thread of the call | the context, the operations, one poll of the future |
//! | [`Held`](crate::tasks::Held) | such a call on a dirty scheduler, after `OwnedCell::hold` | the call to continue after its process was killed: no other process drops the tasks |
//! | [`IdleCell`](idle_cell::IdleCell) | such a call in which no clause runs and no future waits | reading and replacing the state |
//! | [`RetainedCell`](retained_cell::RetainedCell) | any process and thread | dropping the tasks of an owner that has ended |
//!
//! A destructor has the cell itself as `&mut`. A thread of the library has none of these. It may
//! wake the process with a clone of the waker, and send to it.
//!
//! # References and their lifetimes
//!
//! | reference | its source | its lifetime |
//! |---|---|---|
//! | `OwnedCell` | a term of the running call (`OwnedCell::open`) | the call: the term keeps the resource |
//! | `ResourceArc<ProcessCell>` | `RetainedCell::of`, in a call of the owner | until it is dropped, in any process |
//! | `&mut` state | `Invocation::on_state`, while there is no future | the clause, or its future, which is in the same cell |
//! | `IdleCell` | a term of the running call, while no callback runs or waits | within one NIF that is not a callback |
//! | `&mut` future | `FutureSlot::poll`, which takes the future out of its slot | one poll |
//! | `&Cx` | the cell | the future that has borrowed it, which the cell drops first |
//! | `&Frame` | a pointer in the cell, null between calls | the NIF call whose stack has the frame |
//!
//! # Which code may access which field
//!
//! | field | used by | condition |
//! |---|---|---|
//! | `ProcessCell::state` | calls of the owning process | there is no other reference, according to `VmCall::is_used` and `is_busy` |
//! | `Awaiting::future` | calls of the owning process | always: during a poll, the slot is empty |
//! | `VmCall::frame` | written by the running call, at its start and its end | any code with a context may read from it which thread runs the call |
//! | other fields of `VmCall` and `Awaiting` | `Cx::here`, on the thread of the call | during a call |
//! | `Root`, `Executor` | any thread | always, because their contents are behind locks and atomics |
//!
//! # Why each situation is sound
//!
//! - **A callback runs.** A process runs on one thread at a time, and a NIF call is a call of one
//!   process. Another thread that has the context does not find its own number in the frame, and
//!   panics.
//! - **A callback waits.** The frame is null. Its future is in the cell, and is not polled before
//!   the next call.
//! - **A callback panics.** The future is dropped before the answer is built. The state stays,
//!   since only a clause has borrowed it.
//! - **The process is killed while a dirty call runs.** The VM keeps the terms of that call, and
//!   with them the cell. Another process has to claim the tasks before it drops them
//!   (`OwnedCell::hold`).
//! - **The process has ended.** The VM drops the cell when no term is left, on any thread: first
//!   the tasks, which borrow the context, then the future, which borrows the state, then the state.
//! - **A message or a state is read.** Terms of a call are used only in that call. Values that are
//!   stored are copies (`Saved`), or values that [`borrowed_argument`] has numbered, which cannot
//!   be accessed after their call.
//! - **The library is replaced.** `USERS` counts cells and bodies. The VM keeps the code while a
//!   resource is left.

pub(super) mod awaited;
pub(super) mod borrowed_argument;
pub(super) mod cell;
pub(super) mod context;
pub(super) mod frame;
pub(super) mod future_slot;
pub(super) mod guarded;
pub(super) mod idle_cell;
pub(super) mod native;
pub(super) mod outbox;
pub(super) mod outcome;
pub(super) mod owned_cell;
pub(super) mod retained_cell;
pub(super) mod state_slot;
pub(super) mod wake;
