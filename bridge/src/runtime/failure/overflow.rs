//! Whose stack has overflowed, which ends the VM.

use std::fmt::{self, Write};

use crate::runtime::output;
use crate::stack;

/// Has an overflow of a stack said on the error output of the VM. Another version of the
/// application may have left what it had installed, so it is asked for again.
pub(in crate::runtime) fn say() {
    stack::say_overflows(describe);
}

/// Called by a signal's handler: it allocates nothing and takes no lock.
fn describe(write: &mut dyn FnMut(&str)) {
    struct Pieces<'w>(&'w mut dyn FnMut(&str));
    impl Write for Pieces<'_> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            (self.0)(text);
            Ok(())
        }
    }
    // Nobody can be told that this fails.
    let _ = match output::clause() {
        Some(clause) => write!(Pieces(write), "{clause}"),
        None => Pieces(write).write_str("a callback, a task or a thread"),
    };
}
