//! The identity of the current thread, in a nanosecond.
#![allow(unsafe_code)]

/// Identifies a thread among those that live. It is never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ThreadId(usize);

impl ThreadId {
    /// Returns the calling thread.
    #[inline]
    pub(crate) fn current() -> Self {
        ThreadId(current())
    }

    /// Returns the number, for an atomic.
    #[inline]
    pub(crate) fn number(self) -> usize {
        self.0
    }
}

/// A library that is loaded at run time has to ask the dynamic linker for its thread-local
/// variables, which can take longer than a message between two tasks. The C library finds its own
/// thread data through a register. The address of these data is the thread's number here.
#[cfg(all(target_os = "linux", target_arch = "x86_64", not(miri)))]
#[inline]
fn current() -> usize {
    let thread: usize;
    // SAFETY: in the ABI of x86-64 for Linux (ELF Handling for Thread-Local Storage, variant II)
    // the word at `fs:0` is its own address. A thread has its own, it is not 0, and it does not
    // change while the thread lives.
    unsafe {
        std::arch::asm!(
            "mov {}, fs:[0]",
            out(reg) thread,
            options(pure, readonly, nostack, preserves_flags)
        );
    }
    thread
}

/// Returns the number that the C library uses, which takes a call.
#[cfg(all(unix, not(all(target_os = "linux", target_arch = "x86_64", not(miri)))))]
#[inline]
fn current() -> usize {
    // SAFETY: no preconditions. No two threads have the same number at a time, and none has 0: it
    // is an address, or a number above 0 (pthreads(7)).
    let thread = unsafe { libc::pthread_self() };
    thread as usize
}

#[cfg(not(unix))]
fn current() -> usize {
    thread_local! {
        static ADDRESS: u8 = const { 0 };
    }
    ADDRESS.with(|byte| std::ptr::from_ref(byte).addr())
}

#[cfg(test)]
mod tests {
    use super::ThreadId;

    #[test]
    fn two_threads_differ() {
        let this = ThreadId::current();
        assert_eq!(this, ThreadId::current());
        let other = std::thread::spawn(ThreadId::current).join();
        assert_ne!(this, other.expect("it does not panic"));
        assert_ne!(this.number(), 0);
    }
}
