//! Names the clause whose stack has overflowed, which ends the VM.

use std::fmt::{self, Write};

use crate::runtime::output;
use crate::stack;

/// Installs a handler that reports a stack overflow on the error output of the VM. Another version
/// of the application may have removed the handler when it was unloaded, so it is installed again.
pub(in crate::runtime) fn say() {
    stack::say_overflows(describe);
}

/// Called by a signal handler: it allocates no memory and takes no lock.
fn describe(write: &mut dyn FnMut(&str)) {
    struct Pieces<'w>(&'w mut dyn FnMut(&str));
    impl Write for Pieces<'_> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            (self.0)(text);
            Ok(())
        }
    }
    // A failure cannot be reported.
    let _ = match output::clause() {
        Some(clause) => write!(Pieces(write), "{clause}"),
        None => Pieces(write).write_str("a callback, a task or a thread"),
    };
}
