//! Reports a second panic, which ends the VM: one that leaves a destructor while another panic
//! unwinds.
//!
//! Rust then aborts the whole program, so no process remains that could report either of them.

use std::io::Write;
use std::panic::PanicHookInfo;

use super::panics::{Panic, SECRET_TEXT};
use super::source_location;
use crate::runtime::output;
use crate::runtime::registry::LibraryModules;

/// Returns whether Rust aborts the program after this panic: `core` itself raises it where
/// unwinding is impossible. Panics of code that calls `core` have the location of the call.
pub(in crate::runtime) fn ends_the_vm(info: &PanicHookInfo<'_>) -> bool {
    let file = info.location().map_or("", |location| location.file());
    file.ends_with("core/src/panicking.rs") || file.ends_with(r"core\src\panicking.rs")
}

/// Writes the last panics of this thread, the latest one first, to the error output of the VM.
pub(in crate::runtime) fn report(panics: &[Panic]) {
    let clause = output::clause();
    // Without a clause it is unknown whether the panic is secret.
    let is_secret = clause.map_or_else(
        || {
            LibraryModules::get()
                .modules()
                .iter()
                .any(|it| it.is_secret())
        },
        |clause| clause.module.is_secret(),
    );
    let whose = clause.map_or_else(|| "a callback".to_owned(), |clause| clause.to_string());
    let mut text = format!("\n{whose} panicked while another panic unwound, which ends the VM:\n");
    for panic in panics {
        let message = match is_secret {
            true => SECRET_TEXT,
            false => panic.message(),
        };
        text += &format!(
            "{}:{}: {message}\n",
            source_location::shown(&panic.file),
            panic.line
        );
    }
    let backtrace = panics.first().and_then(Panic::backtrace);
    text += &backtrace.unwrap_or_default();
    // A failure cannot be reported.
    let _ = std::io::stderr().write_all(text.as_bytes());
}
