//! The memory of a large stack
#![allow(unsafe_code)]

use super::bounds::Bounds;
use super::switch;

/// How many bytes of addresses a large stack has. Memory is only where it has been used.
pub(crate) const SIZE: usize = match usize::BITS {
    64 => 256 * 1024 * 1024,
    _ => 16 * 1024 * 1024,
};

/// A page that nobody may touch, at the lower end.
const GUARD: usize = 64 * 1024;

/// A large stack of a thread.
pub(super) struct Region {
    /// The lowest address, which is of the guard.
    memory: *mut libc::c_void,
}

impl Region {
    /// A new one. `None` if the system does not give so many addresses, or this processor's stacks
    /// are not known.
    pub(super) fn new() -> Option<Region> {
        if !switch::IS_SUPPORTED {
            return None;
        }
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: asks for new memory at an address of the system's choice, and then closes its
        // first pages. Nothing else refers to them.
        let memory = unsafe {
            let memory = libc::mmap(std::ptr::null_mut(), SIZE, access, flags, -1, 0);
            if memory == libc::MAP_FAILED {
                return None;
            }
            libc::mprotect(memory, GUARD, libc::PROT_NONE);
            // A huge page would be in memory as a whole.
            #[cfg(target_os = "linux")]
            libc::madvise(memory, SIZE, libc::MADV_NOHUGEPAGE);
            memory
        };
        unload::add(memory);
        Some(Region { memory })
    }

    pub(super) fn bounds(&self) -> Bounds {
        let low = self.memory.expose_provenance();
        Bounds {
            low: low + GUARD,
            high: low + SIZE,
        }
    }
}

/// Runs a call at the beginning of a large stack of this thread, on which nothing runs, or on the stack that the
/// thread is on. If it unwinds, the program is aborted.
#[inline]
pub(super) fn run<T>(large: Option<Bounds>, work: impl FnOnce() -> T) -> T {
    let top = large.map(|large| std::ptr::with_exposed_provenance_mut(large.high));
    // SAFETY: the caller has the memory from this thread's region, which lives until the thread
    // ends, and nothing runs on it. The size of a region is a multiple of 16.
    unsafe { switch::run(top, work) }
}

impl Drop for Region {
    fn drop(&mut self) {
        unload::remove(self.memory);
        // SAFETY: the memory is this region's own. The thread ends on the stack that the system
        // gave it, so nothing runs on this one.
        unsafe { libc::munmap(self.memory, SIZE) };
    }
}

/// Frees the stacks of threads that have not ended when the library leaves the program, as the VM's threads have not.
pub(super) mod unload {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Mutex, PoisonError};

    use super::SIZE;

    /// The addresses of all regions.
    static REGIONS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

    /// Whether the library leaves when nothing refers to it any more. Otherwise it is there until the program ends, and then
    /// other threads may still run on their stacks.
    static LEAVES: AtomicBool = AtomicBool::new(false);

    pub(crate) fn begin() {
        LEAVES.store(true, Ordering::Relaxed);
        std::hint::black_box(AT_THE_END);
    }

    pub(super) fn add(memory: *mut libc::c_void) {
        let mut regions = REGIONS.lock().unwrap_or_else(PoisonError::into_inner);
        regions.push(memory.expose_provenance());
    }

    pub(super) fn remove(memory: *mut libc::c_void) {
        let mut regions = REGIONS.lock().unwrap_or_else(PoisonError::into_inner);
        regions.retain(|region| *region != memory.addr());
    }

    /// Called when the library is unloaded, or the program ends.
    #[used]
    #[cfg_attr(target_os = "linux", unsafe(link_section = ".fini_array"))]
    static AT_THE_END: extern "C" fn() = free;

    extern "C" fn free() {
        if !LEAVES.load(Ordering::Relaxed) {
            return;
        }
        let mut regions = REGIONS.lock().unwrap_or_else(PoisonError::into_inner);
        for region in regions.drain(..) {
            let memory = std::ptr::with_exposed_provenance_mut(region);
            // SAFETY: the memory is that of a region which has not been dropped. No code of this library runs any more, and
            // no other code runs on its stacks.
            unsafe { libc::munmap(memory, SIZE) };
        }
    }
}
