//! A gate that another process opens while a callback waits for it.
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static IS_OPEN: AtomicBool = AtomicBool::new(false);

/// Waiting gives up after this time.
const PATIENCE: Duration = Duration::from_secs(60);

/// Opens the gate.
pub fn open() {
    IS_OPEN.store(true, Ordering::Release);
}

/// Blocks the thread until the gate is open. Returns whether it was opened.
#[must_use]
pub fn hold() -> bool {
    let began = Instant::now();
    while !IS_OPEN.load(Ordering::Acquire) {
        if began.elapsed() > PATIENCE {
            return false;
        }
        std::thread::yield_now();
    }
    true
}
