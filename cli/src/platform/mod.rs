//! What differs from one operating system to another: names and flags (`system.rs`), how changes
//! of files are noticed (`changes.rs`), the path of this program (`own_program.rs`), and what only
//! Unix has (`unix.rs`). No other file of this crate asks which system it is, or calls one (tidy);
//! docs/platforms.md says what was tried.

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
