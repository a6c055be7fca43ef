//! Flags of the process: `erlang:process_flag/2`.

use super::at_once::{AtOnce, at_once};
use super::functions::{AnyResult, Anything, Function};
use crate::runtime::protocol::trap_exit;
use crate::runtime::{Cx, Ongoing};
use crate::{Atom, Term, atom};

/// A flag of a process and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
pub enum ProcessFlag {
    /// How often the process runs, compared to others.
    Priority(ProcessPriority),
    /// The smallest size of the heap, in words.
    MinHeapSize(u64),
    /// The smallest size of the heap for binaries, in words.
    MinBinVheapSize(u64),
    /// The largest size of the heap in words, beyond which the process is killed. 0: any size.
    MaxHeapSize(u64),
    /// Where waiting messages are stored.
    MessageQueueData(MessageQueueData),
    /// After how many collections of new data the collector collects all data.
    FullsweepAfter(u64),
    /// Whether sending to another node waits if the connection is busy.
    AsyncDist(bool),
    /// Whether the process's data are hidden from tracing and `process_info`. Once set, it cannot
    /// be unset.
    Sensitive(bool),
}

/// The priority of a process: `erlang:priority_level()`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
pub enum ProcessPriority {
    /// `low`: runs less often than `normal`.
    Low,
    /// `normal`: OTP's default.
    Normal,
    /// `high`: runs before all processes of a lower priority.
    High,
    /// `max`: the VM's own.
    Max,
}

/// Where the waiting messages of a process are stored: `erlang:message_queue_data()`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
pub enum MessageQueueData {
    /// `off_heap`: outside its heap, so that senders do not wait for its lock.
    OffHeap,
    /// `on_heap`: OTP's default.
    OnHeap,
}

impl ProcessFlag {
    /// Returns the arguments of `process_flag/2`: the flag's name and its value.
    fn arguments(self) -> (Atom, Term) {
        match self {
            ProcessFlag::Priority(priority) => (atom!("priority"), Term::of(&priority)),
            ProcessFlag::MinHeapSize(words) => (atom!("min_heap_size"), Term::of(&words)),
            ProcessFlag::MinBinVheapSize(words) => (atom!("min_bin_vheap_size"), Term::of(&words)),
            ProcessFlag::MaxHeapSize(words) => (atom!("max_heap_size"), Term::of(&words)),
            ProcessFlag::MessageQueueData(place) => (atom!("message_queue_data"), Term::of(&place)),
            ProcessFlag::FullsweepAfter(count) => (atom!("fullsweep_after"), Term::of(&count)),
            ProcessFlag::AsyncDist(on) => (atom!("async_dist"), Term::of(&on)),
            ProcessFlag::Sensitive(on) => (atom!("sensitive"), Term::of(&on)),
        }
    }
}

static PROCESS_FLAG: Function = Function::new("erlang", "process_flag");

impl Cx<'_> {
    /// Turns exit signals into messages, [`ExitSignal`](crate::messages::ExitSignal), or stops
    /// doing so: `process_flag(trap_exit, On)`. If you await it, it returns the previous value of
    /// the flag.
    ///
    /// # Errors
    /// None of its own.
    #[track_caller]
    pub fn trap_exit(
        &self,
        on: bool,
    ) -> Ongoing<'_, bool, AtOnce<(trap_exit, bool), AnyResult<bool>>> {
        at_once(self, &PROCESS_FLAG, (trap_exit, on))
    }

    /// Sets a flag of this process: `process_flag(Flag, Value)`.
    ///
    /// # Errors
    /// `badarg`, if you await it and the VM refuses the value.
    #[track_caller]
    pub fn process_flag(
        &self,
        flag: ProcessFlag,
    ) -> Ongoing<'_, (), AtOnce<(Atom, Term), Anything>> {
        at_once(self, &PROCESS_FLAG, flag.arguments())
    }
}
