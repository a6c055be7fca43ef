//! Reports the overflow of a large stack, before the overflow ends the program.
//!
//! The guard at the end of a stack turns the overflow into a SIGSEGV. The system handles this
//! signal on another stack. The handler is installed only if no other one is, so that it does not
//! replace a foreign one, and it is removed with the library.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A function that describes which code the thread runs, in pieces. A signal handler calls it, so
/// it allocates no memory and takes no lock.
pub(crate) type Describe = fn(&mut dyn FnMut(&str));

static DESCRIBE: OnceLock<Describe> = OnceLock::new();

/// The size of a handler's stack in bytes.
const ALTERNATE: usize = 64 * 1024;

/// The lowest addresses of large stacks, for this many threads. 0 for a free entry.
static STACKS: [AtomicUsize; 1024] = [const { AtomicUsize::new(0) }; 1024];

/// Installs the handler, if there is no other one.
pub(crate) fn install(describe: Describe) {
    let _ = DESCRIBE.set(describe);
    // SAFETY: all zeros are an action; the next lines fill it in. The system only reads it.
    let mut new: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
    new.sa_sigaction = handler_address();
    new.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    if action() == Some(libc::SIG_DFL) {
        // SAFETY: the handler has the type that the flags announce, and is removed from the table
        // of handlers before its code is unloaded (`uninstall`).
        unsafe { libc::sigaction(libc::SIGSEGV, &raw const new, null_mut()) };
    }
}

fn handler_address() -> libc::sighandler_t {
    let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = overflowed;
    handler as *const () as libc::sighandler_t
}

/// Returns the current action for a SIGSEGV.
fn action() -> Option<libc::sighandler_t> {
    let mut now = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: the system only writes to `now`, and all zeros are a valid value of its type.
    let now = unsafe {
        (libc::sigaction(libc::SIGSEGV, std::ptr::null(), now.as_mut_ptr()) == 0)
            .then(|| now.assume_init())
    };
    now.map(|now| now.sa_sigaction)
}

/// Removes the handler before the library is unloaded.
pub(super) fn uninstall() {
    if action() == Some(handler_address()) {
        default();
    }
}

fn default() {
    // SAFETY: the default needs no handler.
    unsafe { libc::signal(libc::SIGSEGV, libc::SIG_DFL) };
}

/// Registers a stack, by the lowest address, where its guard starts.
pub(super) fn add(low: usize) {
    let is_free = |stack: &&AtomicUsize| {
        let free = stack.compare_exchange(0, low, Ordering::Relaxed, Ordering::Relaxed);
        free.is_ok()
    };
    // Further threads are not registered, and their overflows not reported.
    let _ = STACKS.iter().find(is_free);
}

pub(super) fn remove(low: usize) {
    for stack in &STACKS {
        let _ = stack.compare_exchange(low, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// Runs in the thread that has accessed invalid memory. It uses only functions that a handler may
/// call: signal-safety(7).
extern "C" fn overflowed(_: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
    // SAFETY: the system calls with the information about this signal.
    let address = unsafe { (*info).si_addr() }.addr();
    let is_guard = |stack: &AtomicUsize| {
        let low = stack.load(Ordering::Relaxed);
        low != 0 && (low..low + super::region::GUARD).contains(&address)
    };
    if STACKS.iter().any(is_guard) {
        write("\n");
        match DESCRIBE.get() {
            Some(describe) => describe(&mut write),
            None => write("a thread"),
        }
        write(
            " has overflowed its stack of 256 MiB, which ends the VM: limit the depth of recursion over your data\n",
        );
    }
    // Let the access fail again, which ends the program as without a handler.
    default();
    // SAFETY: as above.
    if unsafe { (*info).si_code } <= 0 {
        // The signal was sent by a process, so it does not occur again by itself.
        // SAFETY: no preconditions.
        unsafe { libc::raise(libc::SIGSEGV) };
    }
}

fn write(text: &str) {
    // SAFETY: the text has this number of bytes. A failure cannot be reported.
    unsafe { libc::write(2, text.as_ptr().cast(), text.len()) };
}

/// A stack for this thread's handlers, if it had none.
pub(super) struct Alternate(*mut c_void);

impl Alternate {
    pub(super) fn new() -> Option<Self> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let mut now = MaybeUninit::<libc::stack_t>::zeroed();
        // SAFETY: the system writes to `now`, where all zeros are a valid value, and reads `new`,
        // whose memory is new and stays until the thread has another stack for its handlers
        // (`drop`), or for ever.
        unsafe {
            if libc::sigaltstack(std::ptr::null(), now.as_mut_ptr()) != 0
                || now.assume_init().ss_flags & libc::SS_DISABLE == 0
            {
                return None;
            }
            let memory = libc::mmap(null_mut(), ALTERNATE, access, flags, -1, 0);
            if memory == libc::MAP_FAILED {
                return None;
            }
            let mut new = now.assume_init();
            new.ss_sp = memory;
            new.ss_size = ALTERNATE;
            new.ss_flags = 0;
            libc::sigaltstack(&raw const new, null_mut());
            Some(Alternate(memory))
        }
    }
}

impl Drop for Alternate {
    fn drop(&mut self) {
        let mut none = MaybeUninit::<libc::stack_t>::zeroed();
        // SAFETY: all zeros are a valid value. No handler runs, because the thread runs this code;
        // and none will run on this stack later.
        unsafe {
            (*none.as_mut_ptr()).ss_flags = libc::SS_DISABLE;
            libc::sigaltstack(none.as_ptr(), null_mut());
            libc::munmap(self.0, ALTERNATE);
        }
    }
}
