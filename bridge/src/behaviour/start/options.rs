//! Start options of a process.

use std::time::Duration;

use crate::process::{MessageQueueData, ProcessPriority};
use crate::{ErlangType, Heap, Term, Timeout, ToTerm, atoms};

/// Options of the `start_link` functions of `gen_server` and `gen_statem`:
/// `gen_server:start_opt()`.
///
/// ```
/// # use otp_bridge_novm as _;
/// use std::time::Duration;
/// use otp_bridge::start::{DebugOption, SpawnOption, StartOptions};
/// use otp_bridge::Term;
///
/// let options = StartOptions::new()
///     .timeout(Duration::from_secs(1))
///     .hibernate_after(Duration::from_secs(60))
///     .debug([DebugOption::Trace])
///     .spawn_opt([SpawnOption::FullsweepAfter(10)]);
/// assert_eq!(
///     Term::of(&options).to_string(),
///     "[{timeout,1000},{hibernate_after,60000},{debug,[trace]},{spawn_opt,[{fullsweep_after,10}]}]",
/// );
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[must_use]
pub struct StartOptions {
    timeout: Option<Timeout>,
    hibernate_after: Option<Timeout>,
    debug: Vec<DebugOption>,
    spawn_opt: Vec<SpawnOption>,
}

impl StartOptions {
    /// Returns the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Limits the time of `init`. When it is over, the process is killed, and starting it fails
    /// with `timeout`. OTP's default is `infinity`.
    pub fn timeout(mut self, time: impl Into<Timeout>) -> Self {
        self.timeout = Some(time.into());
        self
    }

    /// Makes the process hibernate when no message has arrived for this time. OTP's default is
    /// `infinity`.
    pub fn hibernate_after(mut self, time: impl Into<Timeout>) -> Self {
        self.hibernate_after = Some(time.into());
        self
    }

    /// Sets the debug options of the module `sys` from the start of the process.
    pub fn debug(mut self, options: impl IntoIterator<Item = DebugOption>) -> Self {
        self.debug.extend(options);
        self
    }

    /// Sets how the VM runs the process.
    pub fn spawn_opt(mut self, options: impl IntoIterator<Item = SpawnOption>) -> Self {
        self.spawn_opt.extend(options);
        self
    }
}

impl From<Duration> for StartOptions {
    /// Returns options with [`StartOptions::timeout`] alone.
    fn from(time: Duration) -> Self {
        Self::new().timeout(time)
    }
}

impl ErlangType for StartOptions {
    fn erlang_type() -> String {
        "[gen_server:start_opt()]".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for StartOptions {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        let timeout = self
            .timeout
            .map(|time| (atoms::timeout, time).to_term(heap));
        let after = self.hibernate_after;
        let after = after.map(|time| (atoms::hibernate_after, time).to_term(heap));
        let debug = (!self.debug.is_empty()).then(|| (atoms::debug, &self.debug).to_term(heap));
        let spawn =
            (!self.spawn_opt.is_empty()).then(|| (atoms::spawn_opt, &self.spawn_opt).to_term(heap));
        let all = [timeout, after, debug, spawn].into_iter().flatten();
        heap.list(all.collect::<Vec<_>>())
    }
}

/// An option of the module `sys`: `sys:debug_option()`.
#[derive(Debug, Clone, PartialEq, crate::Term)]
pub enum DebugOption {
    /// `trace`: prints each event.
    Trace,
    /// `log`: keeps the last ten events for `sys:log/2`.
    Log,
    /// `{log, N}`: keeps the last `N` events.
    #[term(tag = "log")]
    LogLast(u64),
    /// `statistics`: counts messages and reductions for `sys:statistics/2`.
    Statistics,
    /// `{log_to_file, FileName}`: writes each event to the file.
    LogToFile(crate::ErlangString),
    /// `{install, …}`: a function of your own, `{Func, FuncState}` or `{FuncId, Func, FuncState}`.
    Install(Term),
}

/// How the VM runs a process: `proc_lib:spawn_option()`, except those that a behaviour sets itself.
#[derive(Debug, Clone, PartialEq, crate::Term)]
pub enum SpawnOption {
    /// `{priority, Level}`
    Priority(ProcessPriority),
    /// `{fullsweep_after, Number}`: the number of collections of the young generation between two
    /// of the whole heap.
    FullsweepAfter(u64),
    /// `{min_heap_size, Words}`
    MinHeapSize(u64),
    /// `{min_bin_vheap_size, Words}`
    MinBinVheapSize(u64),
    /// `{max_heap_size, Words}`: a process with a larger heap is killed. With 0 there is no limit.
    MaxHeapSize(u64),
    /// `{message_queue_data, Where}`
    MessageQueueData(MessageQueueData),
    /// `{async_dist, Enabled}`: sending to other nodes never waits. Since OTP 25.3.
    AsyncDist(bool),
}
