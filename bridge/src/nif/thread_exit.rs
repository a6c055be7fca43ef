//! Destructors of thread-local values, handled so that a library can be unloaded.
//!
//! A thread-local value with a destructor keeps the library in memory until its thread has ended
//! (`__cxa_thread_atexit_impl` of the C library, which Rust's standard library calls). The VM's
//! threads end with the VM: because of a single such value on one of them, the library of an older
//! build would stay for ever. So the destructors of values on those threads are not registered. The
//! memory of these values is freed when the VM ends, as it was before.
//!
//! Every thread of Rust's standard library has such a value. So this module also records the
//! threads that run in the library, because the library must not be unloaded before they have
//! ended.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a VM has loaded the library. The program of a test has no VM that could be called.
static IS_IN_VM: AtomicBool = AtomicBool::new(false);

/// Records that the VM has requested the library's entry.
pub(crate) fn begin() {
    IS_IN_VM.store(true, Ordering::Relaxed);
    hook::keep();
}

/// Excludes the calling thread, which belongs to the library and ends when the library is unloaded.
pub(crate) fn stop_counting() {
    hook::stop_counting();
}

/// Returns the names of the threads that run in the library, other than its own and those of the
/// VM. They are known only on Linux with the GNU C library.
pub(crate) fn threads() -> Vec<String> {
    hook::threads()
}

#[cfg(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod hook {
    use std::arch::global_asm;
    use std::cell::Cell;
    use std::ffi::{c_int, c_void};
    use std::mem;
    use std::sync::atomic::{AtomicPtr, Ordering};
    use std::sync::{Mutex, PoisonError};

    use rustler::sys::enif_thread_type;

    use super::IS_IN_VM;

    type Destructor = unsafe extern "C" fn(*mut c_void);
    type Register = unsafe extern "C" fn(Destructor, *mut c_void, *mut c_void) -> c_int;

    // The name is that of the C library's function. It is hidden: only this library's own code
    // calls this function by that name.
    #[cfg(target_arch = "x86_64")]
    global_asm!(
        ".globl __cxa_thread_atexit_impl",
        ".hidden __cxa_thread_atexit_impl",
        ".type __cxa_thread_atexit_impl, @function",
        "__cxa_thread_atexit_impl:",
        "jmp {register}",
        ".size __cxa_thread_atexit_impl, . - __cxa_thread_atexit_impl",
        register = sym register,
    );
    #[cfg(target_arch = "aarch64")]
    global_asm!(
        ".globl __cxa_thread_atexit_impl",
        ".hidden __cxa_thread_atexit_impl",
        ".type __cxa_thread_atexit_impl, %function",
        "__cxa_thread_atexit_impl:",
        "b {register}",
        ".size __cxa_thread_atexit_impl, . - __cxa_thread_atexit_impl",
        register = sym register,
    );

    unsafe extern "C" {
        fn __cxa_thread_atexit_impl(
            destructor: Destructor,
            value: *mut c_void,
            library: *mut c_void,
        ) -> c_int;
    }

    /// Refers to the function, because otherwise the linker would remove it.
    pub(super) fn keep() {
        std::hint::black_box(__cxa_thread_atexit_impl as Register);
    }

    /// Called to register the destructor of a thread-local value for the end of the calling thread.
    ///
    /// # Safety
    /// Like the function of the C library.
    unsafe extern "C" fn register(
        destructor: Destructor,
        value: *mut c_void,
        library: *mut c_void,
    ) -> c_int {
        let is_in_vm = IS_IN_VM.load(Ordering::Relaxed);
        // SAFETY: no preconditions. A VM has loaded the library, so that the function exists.
        if is_in_vm && unsafe { enif_thread_type() } != 0 {
            return 0;
        }
        let found = of_c_library();
        if found.is_null() {
            return 0;
        }
        // SAFETY: it is the C library's function of this name, which has this type.
        let found = unsafe { mem::transmute::<*mut c_void, Register>(found) };
        if is_in_vm && !IS_COUNTED.replace(true) {
            count(true);
            // SAFETY: `ended` needs no value, and belongs to this library. The first destructor
            // that is registered is the last one that runs.
            unsafe { found(ended, std::ptr::null_mut(), library) };
        }
        // SAFETY: the caller's contract.
        unsafe { found(destructor, value, library) }
    }

    thread_local! {
        /// Whether the calling thread is in [`THREADS`]. It has no destructor.
        static IS_COUNTED: Cell<bool> = const { Cell::new(false) };
    }

    /// The threads that run in this library, by the operating system's numbers.
    static THREADS: Mutex<Vec<libc::pid_t>> = Mutex::new(Vec::new());

    fn count(runs: bool) {
        // SAFETY: no preconditions.
        let own = unsafe { libc::gettid() };
        let mut threads = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
        threads.retain(|thread| *thread != own);
        if runs {
            threads.push(own);
        }
    }

    /// Runs at the end of a thread. The C library keeps this library until it has returned.
    unsafe extern "C" fn ended(_: *mut c_void) {
        count(false);
    }

    /// Excludes the calling thread, which ends when the library is unloaded.
    pub(super) fn stop_counting() {
        count(false);
    }

    /// Returns the names of the threads.
    pub(super) fn threads() -> Vec<String> {
        let threads = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
        let name_of = |thread: &libc::pid_t| {
            let name = std::fs::read_to_string(format!("/proc/self/task/{thread}/comm"));
            name.map_or_else(|_| thread.to_string(), |name| name.trim_end().to_owned())
        };
        threads.iter().map(name_of).collect()
    }

    /// Returns the C library's function. The hidden one is not found by its name.
    fn of_c_library() -> *mut c_void {
        static FOUND: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
        let known = FOUND.load(Ordering::Relaxed);
        if !known.is_null() {
            return known;
        }
        // SAFETY: the name is a C string.
        let found =
            unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__cxa_thread_atexit_impl".as_ptr()) };
        FOUND.store(found, Ordering::Relaxed);
        found
    }
}

/// On other systems, a library that has been used stays in memory.
#[cfg(not(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
mod hook {
    pub(super) fn keep() {}

    pub(super) fn stop_counting() {}

    pub(super) fn threads() -> Vec<String> {
        Vec::new()
    }
}
