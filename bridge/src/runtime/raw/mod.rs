//! What is `unsafe` in running callbacks: a process's cell with its slots, the context with the
//! call that it belongs to, wakers, and arguments that borrow from a call's terms.
//!
//! Called from outside: by whatever runs callbacks. It knows where a callback's data lies and who
//! may reach it, but not what a callback does: that is `harness`.
//!
//! # Who has a reference to what
//!
//! | reference | where it comes from | how long it lives |
//! |---|---|---|
//! | `&ProcessCell` | a term of the running call (`ProcessCell::open`) | the call: the term keeps the resource |
//! | `ResourceArc<ProcessCell>` | `RetainedCell::of`, in a call of the owner | until it is dropped, in any process |
//! | `&mut` state | `Invocation::on_state`, while there is no future | the clause, or its future, which lies in the same cell |
//! | `IdleCell` | a term of the running call, while no callback is under way | within one NIF that is not a callback |
//! | `&mut FutureSlot` | `Running::poll` and `Begin` | one poll; the future reaches its cell only through the context |
//! | `&Cx` | the cell | the future that has borrowed it; the cell drops that first |
//! | `&Frame` | a pointer in the cell, null between calls | the NIF call, on whose stack it lies |
//!
//! # Who may touch which field, and when
//!
//! | field | only by | when |
//! |---|---|---|
//! | `ProcessCell::state` | calls of the owning process | while no other reference is there: `VmCall::is_used` and `is_busy` say so |
//! | `Awaiting::future` | calls of the owning process | between two polls |
//! | `VmCall::frame` | the call that runs, at its beginning and its end | anybody with a context reads which thread runs it |
//! | other fields of `VmCall` and `Awaiting` | through `Cx::here`, on the thread of the call | during a call |
//! | `Root`, `Executor` | any thread | always; what is in them has locks and atomics |
//!
//! # What makes it safe in each situation
//!
//! - **A callback runs.** A process runs on one thread at a time, and a NIF call is one of its
//!   process. Another thread that has the context finds its own number missing in the frame, and
//!   panics.
//! - **A callback waits.** The frame is null. Its future is in the cell, and nobody polls it before
//!   the next call.
//! - **A callback panics.** The future is dropped before the answer is made. The state stays, since
//!   only a clause has borrowed it.
//! - **The process is killed while a dirty call runs.** The VM keeps the terms of that call, and
//!   with them the cell. Whoever drops its tasks has to claim them first (`ProcessCell::hold`).
//! - **The process has ended.** The VM drops the cell when no term is left, on any thread: first
//!   tasks, which borrow the context, then the future, which borrows the state, then the state.
//! - **A message or a state is read.** Terms of a call are used in that call. What is kept is
//!   copied (`Saved`), or is a value that [`borrowed_argument`] has numbered: after its call nobody
//!   reaches it.
//! - **The library is replaced.** `USERS` counts cells and bodies. The VM keeps the code while a
//!   resource is left.

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
pub(super) mod retained_cell;
pub(super) mod state_slot;
pub(super) mod unencoded;
pub(super) mod wake;
