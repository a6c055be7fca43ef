//! What a thread has used of a processor, as the operating system counts it.
#![allow(unsafe_code)]

use std::time::Duration;

/// What a thread has used of a processor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ThreadUsage {
    pub(crate) time: Duration,
    /// How often the thread gave up the processor by itself, because it waited for something.
    pub(crate) waits: i64,
    /// How often the operating system took it away.
    pub(crate) interruptions: i64,
}

#[cfg(target_os = "linux")]
impl ThreadUsage {
    /// Whether this system provides the figures.
    pub(crate) const IS_KNOWN: bool = true;

    pub(crate) fn now() -> Option<Self> {
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
        // SAFETY: the memory is for a `rusage`, which is filled in where the result is 0.
        let usage = unsafe {
            if libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr()) != 0 {
                return None;
            }
            usage.assume_init()
        };
        // `rusage` has the time as of the last tick or switch, some milliseconds ago.
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: the memory is a `timespec`.
        if unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) } != 0 {
            return None;
        }
        let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
        let nanoseconds = u64::try_from(time.tv_nsec).unwrap_or(0);
        Some(ThreadUsage {
            time: Duration::from_secs(seconds) + Duration::from_nanos(nanoseconds),
            waits: usage.ru_nvcsw,
            interruptions: usage.ru_nivcsw,
        })
    }
}

#[cfg(not(target_os = "linux"))]
impl ThreadUsage {
    pub(crate) const IS_KNOWN: bool = false;

    pub(crate) fn now() -> Option<Self> {
        None
    }
}
