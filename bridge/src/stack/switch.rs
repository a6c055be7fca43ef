//! Switching to another stack and back.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::mem::ManuallyDrop;

/// Whether switching stacks is supported on this processor and system.
pub(super) const IS_SUPPORTED: bool = cfg!(all(
    unix,
    any(target_arch = "x86_64", target_arch = "aarch64")
));

/// A function to call once, and afterwards its result.
///
/// It has no tag that distinguishes the two. An `Option` of each would be written and read in every
/// call from the VM.
union Job<W, T> {
    work: ManuallyDrop<W>,
    result: ManuallyDrop<T>,
}

impl<W: FnOnce() -> T, T> Job<W, T> {
    /// # Safety
    /// `job` is a job of this type that has not run, and no other code uses it before this returns.
    unsafe extern "C" fn run(job: *mut c_void) {
        // SAFETY: by the contract above, the job has the function, which is taken out of it here
        // and replaced by the result.
        unsafe {
            let job = &mut *job.cast::<Self>();
            let work = ManuallyDrop::take(&mut job.work);
            job.result = ManuallyDrop::new(work());
        }
    }
}

/// Calls a function on the stack that ends at `top`, or on this one. If it unwinds, the program is
/// aborted.
///
/// # Safety
/// Below `top` is memory for a stack, which no other code uses before the function has returned.
/// `top` is a multiple of 16.
#[inline]
pub(super) unsafe fn run<W: FnOnce() -> T, T>(top: Option<*mut u8>, work: W) -> T {
    let mut job = Job {
        work: ManuallyDrop::new(work),
    };
    let data = (&raw mut job).cast();
    // SAFETY: by the contract above. The job runs once, and has its result after that. Both cases
    // call the same function, so that the user's code is inlined into it once, and not compiled a
    // second time elsewhere.
    unsafe {
        match top {
            Some(top) => call_on(top, data, Job::<W, T>::run),
            None => Job::<W, T>::run(data),
        }
        ManuallyDrop::into_inner(job.result)
    }
}

/// Calls `function(data)` on the stack that ends at `top`.
///
/// The frame pointer holds the stack to return to. With it, an unwinder that only inspects (a
/// backtrace) sees the frames of both stacks.
#[cfg(all(unix, target_arch = "x86_64"))]
#[unsafe(naked)]
unsafe extern "C" fn call_on(
    top: *mut u8,
    data: *mut c_void,
    function: unsafe extern "C" fn(*mut c_void),
) {
    std::arch::naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "mov rsp, rdi",
        "mov rdi, rsi",
        "call rdx",
        "mov rsp, rbp",
        "pop rbp",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
    )
}

/// Calls `function(data)` on the stack that ends at `top`. The frame is the frame pointer and the
/// return address.
#[cfg(all(unix, target_arch = "aarch64"))]
#[unsafe(naked)]
unsafe extern "C" fn call_on(
    top: *mut u8,
    data: *mut c_void,
    function: unsafe extern "C" fn(*mut c_void),
) {
    std::arch::naked_asm!(
        ".cfi_startproc",
        "stp x29, x30, [sp, #-16]!",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset x30, -8",
        ".cfi_offset x29, -16",
        "mov x29, sp",
        ".cfi_def_cfa_register x29",
        "mov sp, x0",
        "mov x0, x1",
        "blr x2",
        "mov sp, x29",
        "ldp x29, x30, [sp], #16",
        ".cfi_def_cfa sp, 0",
        ".cfi_restore x30",
        ".cfi_restore x29",
        "ret",
        ".cfi_endproc",
    )
}

/// Not called where stacks are not supported.
#[cfg(not(all(unix, any(target_arch = "x86_64", target_arch = "aarch64"))))]
unsafe extern "C" fn call_on(
    _top: *mut u8,
    data: *mut c_void,
    function: unsafe extern "C" fn(*mut c_void),
) {
    // SAFETY: the caller passes the data that the function takes.
    unsafe { function(data) }
}
