//! The memory of a program and of its child programs.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::Duration;

/// The interval between two checks of the programs.
const PAUSE: Duration = Duration::from_millis(50);

/// Waits for a program. Returns the peak memory of the largest program below it, in bytes. Returns
/// 0 if the system does not report it.
pub(super) fn wait(child: &mut Child) -> std::io::Result<(ExitStatus, u64)> {
    let mut peaks: BTreeMap<u32, u64> = BTreeMap::new();
    loop {
        if let Some(status) = child.try_wait()? {
            let most = peaks.into_values().max();
            return Ok((status, most.unwrap_or_default()));
        }
        let mut open = children(child.id());
        while let Some(id) = open.pop() {
            open.extend(children(id));
            let peak = peak(id).unwrap_or_default();
            let known = peaks.entry(id).or_default();
            *known = peak.max(*known);
        }
        thread::sleep(PAUSE);
    }
}

/// Returns the child programs of a program, on Linux.
fn children(id: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{id}/task"));
    let threads = threads.into_iter().flatten().flatten();
    let of_thread = |path: std::path::PathBuf| fs::read_to_string(path.join("children")).ok();
    let texts = threads.filter_map(|thread| of_thread(thread.path()));
    let ids = texts.flat_map(|text| {
        let ids = text.split_whitespace().filter_map(|id| id.parse().ok());
        ids.collect::<Vec<u32>>()
    });
    ids.collect()
}

/// Returns the peak memory of the running program, in bytes.
fn peak(id: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
