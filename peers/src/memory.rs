//! What the operating system says of this process.

use std::fs;
use std::time::Duration;

/// The bytes of memory that are resident.
///
/// # Panics
/// This system has no `/proc`.
pub(crate) fn resident() -> u64 {
    let pages = field("/proc/self/statm", 1);
    pages * 4096
}

/// The processor time that all threads have used, to 10 ms.
///
/// # Panics
/// This system has no `/proc`.
pub(crate) fn worked() -> Duration {
    // A clock tick is 10 ms wherever Linux is.
    let ticks = field("/proc/self/stat", 13) + field("/proc/self/stat", 14);
    Duration::from_millis(10 * ticks)
}

fn field(path: &str, index: usize) -> u64 {
    let text = fs::read_to_string(path).expect("Linux has this file");
    let field = text.split_whitespace().nth(index);
    let field = field.expect("it has this field");
    field.parse().expect("it is a number")
}
