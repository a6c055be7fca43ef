//! Measurements of this program by the operating system, on Linux; elsewhere they are 0.

use std::fs;
use std::time::Duration;

/// Returns the resident memory in bytes.
#[must_use]
pub fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    // The value is in KiB, whatever the size of a page.
    let mut lines = status.lines();
    let line = lines.find_map(|line| line.strip_prefix("VmRSS:"));
    let size = line.and_then(|line| line.split_whitespace().next());
    size.and_then(|size| size.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// Returns the processor time of all threads, with a resolution of 10 ms.
#[must_use]
pub fn worked() -> Duration {
    let ticks = field("/proc/self/stat", 13) + field("/proc/self/stat", 14);
    Duration::from_millis(10 * ticks)
}

fn field(path: &str, index: usize) -> u64 {
    let text = fs::read_to_string(path).unwrap_or_default();
    let field = text.split_whitespace().nth(index);
    field.and_then(|field| field.parse().ok()).unwrap_or(0)
}
