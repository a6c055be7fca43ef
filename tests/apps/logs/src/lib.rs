//! Logging and printing from callbacks, tasks, threads and destructors, for the live tests.
#![forbid(unsafe_code)]

pub mod gate;
pub mod scribe;
pub mod stroot;

/// Runs when the library is loaded, before the application has started.
fn prepare() {
    scribe::LOADED.store(true, std::sync::atomic::Ordering::Relaxed);
}

otp_bridge::application!(load = prepare);
