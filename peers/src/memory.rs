//! Figures of the operating system about this process.

use std::fs;
use std::time::Duration;

/// Returns the bytes of resident memory.
///
/// # Panics
/// This system has no `/proc`.
pub(crate) fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux has this file");
    // The value is in KiB, whatever the size of a page is.
    let mut lines = status.lines();
    let line = lines.find_map(|line| line.strip_prefix("VmRSS:"));
    let size = line.and_then(|line| line.split_whitespace().next());
    let size: u64 = size
        .and_then(|size| size.parse().ok())
        .expect("it has this line");
    size * 1024
}

/// Returns the processor time that all threads have used, in steps of 10 ms.
///
/// # Panics
/// This system has no `/proc`.
pub(crate) fn worked() -> Duration {
    // A clock tick is 10 ms on all platforms of Linux.
    let ticks = field("/proc/self/stat", 13) + field("/proc/self/stat", 14);
    Duration::from_millis(10 * ticks)
}

fn field(path: &str, index: usize) -> u64 {
    let text = fs::read_to_string(path).expect("Linux has this file");
    let field = text.split_whitespace().nth(index);
    let field = field.expect("it has this field");
    field.parse().expect("it is a number")
}
