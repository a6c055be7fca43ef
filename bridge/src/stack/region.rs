//! The memory of a large stack.
#![allow(unsafe_code)]

use super::bounds::Bounds;
use super::{overflow, switch};

/// The size of a large stack's address range in bytes. Only the parts that have been used take
/// memory.
pub(crate) const SIZE: usize = match usize::BITS {
    64 => 256 * 1024 * 1024,
    _ => 16 * 1024 * 1024,
};

/// Inaccessible memory at the lower end.
pub(super) const GUARD: usize = 64 * 1024;

/// A large stack of a thread.
pub(super) struct Region {
    /// The lowest address, where the guard starts.
    memory: *mut libc::c_void,
}

impl Region {
    /// Allocates a region. `None` if the system does not have enough addresses, or if stacks of
    /// this processor are not supported.
    pub(super) fn new() -> Option<Region> {
        if !switch::IS_SUPPORTED {
            return None;
        }
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: this maps new memory at an address of the system's choice, and then protects its
        // first pages. No other code refers to them.
        let memory = unsafe {
            let memory = libc::mmap(std::ptr::null_mut(), SIZE, access, flags, -1, 0);
            if memory == libc::MAP_FAILED {
                return None;
            }
            libc::mprotect(memory, GUARD, libc::PROT_NONE);
            // A huge page would be allocated as a whole.
            #[cfg(target_os = "linux")]
            libc::madvise(memory, SIZE, libc::MADV_NOHUGEPAGE);
            memory
        };
        unload::add(memory);
        overflow::add(memory.addr());
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

/// Runs a call at the start of a free large stack of this thread, or on the stack that the thread
/// is on. If it unwinds, the program is aborted.
#[inline]
pub(super) fn run<T>(large: Option<Bounds>, work: impl FnOnce() -> T) -> T {
    let top = large.map(|large| std::ptr::with_exposed_provenance_mut(large.high));
    // SAFETY: the caller has the memory from this thread's region, which lives until the thread
    // ends, and no code runs on it. The size of a region is a multiple of 16.
    unsafe { switch::run(top, work) }
}

impl Drop for Region {
    fn drop(&mut self) {
        unload::remove(self.memory);
        overflow::remove(self.memory.addr());
        // SAFETY: the memory is this region's own. The thread ends on the stack that the system
        // gave it, so no code runs on this one.
        unsafe { libc::munmap(self.memory, SIZE) };
    }
}

/// Frees the stacks of the VM's threads when the library leaves the program, because these threads
/// have not ended then.
///
/// Another thread frees its own stack when it ends (`Owner`), and the library is not unloaded
/// before that, because the destructor pins it. When the program itself ends, the stacks are not
/// freed: the system reclaims the memory, and threads may still run on them.
pub(super) mod unload {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Mutex, Once, PoisonError};

    use super::{SIZE, overflow};

    /// The addresses of all regions.
    static REGIONS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

    /// Whether the library is unloaded when there are no references to it any more. Otherwise it
    /// stays until the program ends.
    static LEAVES: AtomicBool = AtomicBool::new(false);

    /// Whether the program is ending.
    static PROGRAM_ENDS: AtomicBool = AtomicBool::new(false);

    pub(crate) fn begin() {
        static TOLD: Once = Once::new();
        TOLD.call_once(|| {
            // SAFETY: the function has no preconditions. The C library calls it before the library
            // is gone: at the end of the program, or when the library is unloaded (atexit(3)).
            let refused = unsafe { libc::atexit(program_ends) } != 0;
            PROGRAM_ENDS.store(refused, Ordering::Relaxed);
        });
        LEAVES.store(true, Ordering::Relaxed);
        std::hint::black_box(AT_THE_END);
    }

    /// At the end of the program it is called before [`free`], which the dynamic linker calls last.
    /// When the library is unloaded, it is called after [`free`]: then the C runtime's own entry of
    /// `.fini_array` calls it, which is the first one there, and the entries are called from the
    /// last one to the first (System V ABI, "Initialization and Termination Functions").
    extern "C" fn program_ends() {
        PROGRAM_ENDS.store(true, Ordering::Relaxed);
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
        if !LEAVES.load(Ordering::Relaxed) || PROGRAM_ENDS.load(Ordering::Relaxed) {
            return;
        }
        overflow::uninstall();
        let mut regions = REGIONS.lock().unwrap_or_else(PoisonError::into_inner);
        for region in regions.drain(..) {
            let memory = std::ptr::with_exposed_provenance_mut(region);
            // SAFETY: the memory is that of a region which has not been dropped. The program
            // continues without this library, so no code of it runs any more: neither on a thread
            // of the VM, which counts the running calls, nor on another one, whose region's
            // destructor pins the library. No other code runs on its stacks.
            unsafe { libc::munmap(memory, SIZE) };
        }
    }
}
