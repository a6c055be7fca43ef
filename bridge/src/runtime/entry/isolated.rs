//! A VM of isolated children ends when the VM that has started it does, also while all its
//! schedulers are in native code.

use std::io::Read;
use std::{env, io, process, thread};

use otp_contract::library::ISOLATED_PROCESS;

/// The library is loaded. In a VM of isolated children, a thread waits for the end of its standard
/// input, to which the other VM holds the other end and never writes. The thread never ends: such a
/// VM keeps the library that it has loaded.
pub(super) fn end_with_the_first_vm() {
    let process = env::var(ISOLATED_PROCESS).ok();
    // A program that was started from there has the variable, too.
    if process.and_then(|it| it.parse().ok()) != Some(process::id()) {
        return;
    }
    let builder = thread::Builder::new().name("otp_rs_isolated".to_owned());
    // Without a thread, the VM ends as soon as it has a scheduler for that.
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
