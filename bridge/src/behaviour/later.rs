//! Methods of the context that make messages arrive after the callback has returned.
//!
//! If the block does not wait for these messages itself, the attribute's macro passes the result of
//! such a call through `check`, whose bounds require a clause for the messages.

use std::marker::PhantomData;

use super::gen_server::PendingRequest;
use super::pg::{GroupMonitor, Joined, Member, Monitoring};
use crate::Pid;
use crate::messages::{
    Down, ExitSignal, GroupChange, HandlerRemoved, NodeDown, NodeDownInfo, NodeUp, NodeUpInfo,
    Response,
};
use crate::process::Monitor;
use crate::process::functions::Calling;
use crate::runtime::{Await, Effect, Ongoing, TakesBoth, TakesLater, TakesTimer, effects};
use crate::task::ClientCall;

/// One marker type per method of `LATER` in `codegen/src/facts/callbacks.rs`; keep both in step.
#[allow(non_camel_case_types, missing_docs)]
pub(crate) mod key {
    pub struct add_sup_handler;
    pub struct join;
    pub struct monitor;
    pub struct monitor_groups;
    pub struct monitor_nodes;
    pub struct monitor_nodes_with_info;
    pub struct pending_request;
    pub struct spawn_process_monitor;
    pub struct start_timer;
    pub struct task_value;
    pub struct trap_exit;
    pub struct wait;
}

effects! {
    start_timer: [M] (M,) => check [TakesTimer<M, true>];
    join: ['a, G] Calling<'a, (), Member, Joined<G>> => check [Is<G>];
    wait: [R] ClientCall<R> => check [MayHoldItsThread];
    add_sup_handler: ['a, O] Await<'a, (), O> => check [TakesLater<HandlerRemoved, true>];
    spawn_process_monitor: ['a, O] Ongoing<'a, (Pid, Monitor), O> => check [TakesLater<Down, true>];
    monitor: ['a, O] Await<'a, Monitor, O> => check [TakesLater<Down, true>];
    monitor: ['a, G] Monitoring<'a, G> => check [TakesLater<GroupChange, true>];
    monitor_groups: ['a, G, O] Await<'a, (GroupMonitor, G), O> => check [TakesLater<GroupChange, true>];
    monitor_nodes: ['a, O] Ongoing<'a, (), O> => check [TakesBoth<NodeUp, NodeDown>];
    monitor_nodes_with_info: ['a, O] Ongoing<'a, (), O> => check [TakesBoth<NodeUpInfo, NodeDownInfo>];
    pending_request: ['a, R, O] Ongoing<'a, PendingRequest<R>, O> => check [TakesLater<Response, true>];
    trap_exit: ['a, O] Ongoing<'a, bool, O> => check [TakesLater<ExitSignal, true>];
}

/// Implemented for `T` by the type `T` alone.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot join a group of `{T}`",
    label = "members of this group get messages for the clauses of `{T}`"
)]
pub trait Is<T> {}

impl<T> Is<T> for T {}

/// A module whose callbacks may hold a scheduler. No type implements this.
#[diagnostic::on_unimplemented(
    message = "`wait` would block a scheduler of the VM",
    label = "write `.await` here; `wait` is for threads without a run time"
)]
pub trait MayHoldItsThread {}

/// A module whose tasks may return operations. No type implements this.
#[diagnostic::on_unimplemented(
    message = "the task returns an operation that it has not awaited",
    label = "write `.await?` behind it"
)]
pub trait ReturnsOperations {}

impl<'a, T, O> Effect<key::task_value, Await<'a, T, O>> {
    /// Stands for the value in the `Ok` of a task's body. It is never called, because the bound
    /// never holds.
    pub fn check<M: ReturnsOperations>(self, _: PhantomData<M>) -> T {
        unreachable!("no module is `ReturnsOperations`")
    }
}

impl<'a, T, O> Effect<key::task_value, Ongoing<'a, T, O>> {
    /// Like `check` of an `Await`.
    pub fn check<M: ReturnsOperations>(self, _: PhantomData<M>) -> T {
        unreachable!("no module is `ReturnsOperations`")
    }
}

/// Makes `cx.subscriber()` in the block of a module `T` return a process whose clauses are known to
/// be those of `T`: `$process<T>`.
macro_rules! subscribers {
    ($process:ident) => {
        impl<'a>
            $crate::runtime::Effect<
                key::subscriber,
                $crate::process::Subscriber<'a, $crate::process::UnknownProcess>,
            >
        {
            /// Returns the subscriber as a process of the module `T`.
            pub fn check<T>(
                self,
                _: ::core::marker::PhantomData<T>,
            ) -> $crate::process::Subscriber<'a, $process<T>> {
                self.1.known_as()
            }
        }
    };
}

pub(crate) use subscribers;
