//! What the operating system says of this program, on Linux; elsewhere 0.

use std::fs;
use std::time::Duration;

/// The bytes of memory that are resident.
#[must_use]
pub fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    // In KiB, whatever the size of a page.
    let mut lines = status.lines();
    let line = lines.find_map(|line| line.strip_prefix("VmRSS:"));
    let size = line.and_then(|line| line.split_whitespace().next());
    size.and_then(|size| size.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// The processor time that all threads have used, to 10 ms.
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
