//! The operating system's data about a thread, read by another thread.
#![allow(unsafe_code)]

use std::time::Duration;

/// A thread that lives as long as the program, like a scheduler of the VM.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OsThread {
    #[cfg(target_os = "linux")]
    clock: libc::clockid_t,
    #[cfg(target_os = "linux")]
    id: libc::pid_t,
}

#[cfg(target_os = "linux")]
impl OsThread {
    /// Whether this system provides the processor time of a thread.
    pub(crate) const IS_KNOWN: bool = true;

    /// Returns the calling thread.
    pub(crate) fn current() -> Option<Self> {
        let mut clock = 0;
        // SAFETY: the calling thread lives, and `clock` has the type that is written. The last two
        // functions have no preconditions.
        let (refused, id) = unsafe {
            let refused = libc::pthread_getcpuclockid(libc::pthread_self(), &raw mut clock);
            (refused, libc::gettid())
        };
        (refused == 0).then_some(OsThread { clock, id })
    }

    /// Returns for how long it has had a processor. `None` if it has ended.
    pub(crate) fn worked(self) -> Option<Duration> {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: the memory is a `timespec`. A clock of a thread that has ended is refused.
        if unsafe { libc::clock_gettime(self.clock, &raw mut time) } != 0 {
            return None;
        }
        let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
        let nanoseconds = u64::try_from(time.tv_nsec).unwrap_or(0);
        Some(Duration::from_secs(seconds) + Duration::from_nanos(nanoseconds))
    }

    /// If the thread waits in a system call, the number of waits that it has begun. Two looks that
    /// return one number saw one wait. `None` if the thread runs or wants a processor.
    pub(crate) fn waits(self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/self/task/{}/status", self.id)).ok()?;
        let value = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            Some(line.trim_start())
        };
        if !value("State:")?.starts_with(['S', 'D']) {
            return None;
        }
        value("voluntary_ctxt_switches:")?.parse().ok()
    }
}

#[cfg(not(target_os = "linux"))]
impl OsThread {
    pub(crate) const IS_KNOWN: bool = false;

    pub(crate) fn current() -> Option<Self> {
        None
    }

    pub(crate) fn worked(self) -> Option<Duration> {
        None
    }

    pub(crate) fn waits(self) -> Option<u64> {
        None
    }
}
