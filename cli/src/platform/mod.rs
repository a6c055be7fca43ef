//! Differences between operating systems: names and flags (`system.rs`), notifications of changed
//! files (`changes.rs`), the path of this program (`own_program.rs`), and features of Unix
//! (`unix.rs`). No other file of this crate checks which system it runs on, or makes system calls
//! (tidy); docs/platforms.md lists the tested systems.

mod changes;
mod own_program;
mod system;
mod unix;

pub(crate) use changes::Changes;
pub(crate) use own_program::own_program;
pub(crate) use system::System;
pub(crate) use unix::*;

#[cfg(not(unix))]
compile_error!(
    "`cargo otp` needs what cli/src/platform/unix.rs has; docs/platforms.md says what another system lacks"
);
