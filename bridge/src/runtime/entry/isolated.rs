//! Ends a VM of isolated children when the VM that started it has ended, even if all its schedulers
//! are in native code.

use std::io::Read;
use std::{env, io, process, thread};

use otp_contract::library::ISOLATED_PROCESS;

/// Called when the library is loaded. In a VM of isolated children, a thread waits for the end of
/// the standard input. The first VM holds the other end of the pipe and never writes. The thread
/// never ends, because such a VM never unloads its library.
pub(super) fn end_with_the_first_vm() {
    let process = env::var(ISOLATED_PROCESS).ok();
    // A program that was started by such a VM inherits the variable, too.
    if process.and_then(|it| it.parse().ok()) != Some(process::id()) {
        return;
    }
    let builder = thread::Builder::new().name("otp_rs_isolated".to_owned());
    // If the thread cannot be started, the VM still ends as soon as a scheduler is free to notice.
    let _ = builder.stack_size(128 * 1024).spawn(|| {
        let mut byte = [0];
        while io::stdin()
            .lock()
            .read(&mut byte)
            .is_ok_and(|read| read > 0)
        {}
        process::abort();
    });
}
