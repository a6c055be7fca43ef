//! The bounds of a stack.
#![allow(unsafe_code)]

/// The addresses of a stack, which grows towards the lower end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) low: usize,
    pub(super) high: usize,
}

impl Bounds {
    pub(super) const UNKNOWN: Bounds = Bounds {
        low: usize::MAX,
        high: usize::MAX,
    };

    /// Returns how many bytes are left. 0 if the thread is on another stack.
    #[inline]
    pub(super) fn remaining(self) -> usize {
        let here = here();
        if here < self.high {
            here.saturating_sub(self.low)
        } else {
            0
        }
    }

    /// Returns whether the thread is on this stack.
    pub(super) fn is_here(&self) -> bool {
        (self.low..self.high).contains(&here())
    }

    /// Returns the stack that the system gave the thread. `None` if it is unknown, or the thread is
    /// on another one.
    pub(super) fn of_thread() -> Option<Bounds> {
        system_stack().filter(Bounds::is_here)
    }
}

/// Returns an address on the stack, near its current end.
#[inline]
fn here() -> usize {
    let byte = 0_u8;
    std::hint::black_box(std::ptr::from_ref(&byte)).addr()
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn system_stack() -> Option<Bounds> {
    use std::mem::MaybeUninit;
    use std::ptr::null_mut;

    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut low, mut size) = (null_mut(), 0);
    // SAFETY: the attributes are filled in by the first call, read by the second, and freed once.
    // They are not used if the first call fails.
    let found = unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let found = libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut low, &raw mut size);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        found
    };
    (found == 0).then(|| Bounds {
        low: low.addr(),
        high: low.addr() + size,
    })
}

#[cfg(target_vendor = "apple")]
fn system_stack() -> Option<Bounds> {
    // SAFETY: both functions only read the system's data about the running thread.
    let (high, size) = unsafe {
        let thread = libc::pthread_self();
        (
            libc::pthread_get_stackaddr_np(thread).addr(),
            libc::pthread_get_stacksize_np(thread),
        )
    };
    Some(Bounds {
        low: high - size,
        high,
    })
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn system_stack() -> Option<Bounds> {
    // A lower bound that holds for every thread that Rust or the VM starts: the real stack is a
    // little larger.
    let here = here();
    Some(Bounds {
        low: here.saturating_sub(2 * super::RED_ZONE),
        high: here + super::RED_ZONE,
    })
}
