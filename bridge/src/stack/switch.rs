//! Going to another stack and back
#![allow(unsafe_code)]

use std::ffi::c_void;

/// Whether the stacks of this processor and system are known.
pub(super) const IS_SUPPORTED: bool = cfg!(all(
    unix,
    any(target_arch = "x86_64", target_arch = "aarch64")
));

/// Runs a job on the stack that ends at `top`, and comes back.
///
/// # Safety
/// Below `top` is memory for a stack, which nothing else uses before the job has returned. `top` is
/// a multiple of 16. If the job unwinds, the program is aborted.
pub(super) unsafe fn run_at<J: FnMut()>(top: *mut u8, job: &mut J) {
    unsafe extern "C" fn start<J: FnMut()>(job: *mut c_void) {
        // SAFETY: `run_at` passes its own reference, which it does not use meanwhile.
        let job = unsafe { &mut *job.cast::<J>() };
        job();
    }
    let job = std::ptr::from_mut(job).cast();
    // SAFETY: by the contract above; `start` is called once with the job, of the type that it
    // knows.
    unsafe { call_on(top, job, start::<J>) };
}

/// Calls `function(data)` on the stack that ends at `top`.
///
/// The frame pointer says where to go back to. With it an unwinder that only looks (a backtrace) sees
/// the frames of both stacks.
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

/// The same. The frame is the frame pointer and the address to return to.
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

/// Not called where stacks are not known.
#[cfg(not(all(unix, any(target_arch = "x86_64", target_arch = "aarch64"))))]
unsafe extern "C" fn call_on(
    _top: *mut u8,
    data: *mut c_void,
    function: unsafe extern "C" fn(*mut c_void),
) {
    // SAFETY: the caller passes the data that the function takes.
    unsafe { function(data) }
}
