//! Methods of the context after which messages come when the callback has returned. The attribute's
//! macro hands their calls over where the block does not wait for the messages itself, and the
//! types say whether the module has a clause for them.

use super::gen_server::PendingRequest;
use super::pg::{GroupMonitor, Monitoring};
use crate::messages::{
    Down, ExitSignal, GroupChange, NodeDown, NodeDownInfo, NodeUp, NodeUpInfo, Response,
};
use crate::process::Monitor;
use crate::runtime::{Await, Ongoing, TakesBoth, TakesLater, TakesTimer, effects};

/// The methods.
#[allow(non_camel_case_types, missing_docs)]
pub(crate) mod key {
    pub struct monitor;
    pub struct monitor_groups;
    pub struct monitor_nodes;
    pub struct monitor_nodes_with_info;
    pub struct pending_request;
    pub struct start_timer;
    pub struct trap_exit;
}

effects! {
    start_timer: [M] (M,) => check [TakesTimer<M, true>];
    monitor: ['a, O] (Await<'a, Monitor, O>,) => check [TakesLater<Down, true>];
    monitor: ['a, G] (Monitoring<'a, G>,) => check [TakesLater<GroupChange, true>];
    monitor_groups: ['a, G, O] (Await<'a, (GroupMonitor, G), O>,) => check [TakesLater<GroupChange, true>];
    monitor_nodes: ['a, O] (Ongoing<'a, (), O>,) => check [TakesBoth<NodeUp, NodeDown>];
    monitor_nodes_with_info: ['a, O] (Ongoing<'a, (), O>,) => check [TakesBoth<NodeUpInfo, NodeDownInfo>];
    pending_request: ['a, R, O] (Ongoing<'a, PendingRequest<R>, O>,) => check [TakesLater<Response, true>];
    trap_exit: ['a, O] (Ongoing<'a, bool, O>,) => check [TakesLater<ExitSignal, true>];
}

/// `cx.subscriber()` in the block of a module `T` is a process of which the clauses of `T` are known:
/// `$process<T>`.
macro_rules! subscribers {
    ($process:ident) => {
        impl<'a>
            $crate::runtime::Effect<
                key::subscriber,
                ($crate::process::Subscriber<'a, $crate::process::UnknownProcess>,),
            >
        {
            /// Returns it with that knowledge.
            pub fn check<T>(
                self,
                _: ::core::marker::PhantomData<T>,
            ) -> ($crate::process::Subscriber<'a, $process<T>>,) {
                (self.1.0.known_as(),)
            }
        }
    };
}

pub(crate) use subscribers;
