//! Messages, signals, timers and processes, for the live tests.
#![forbid(unsafe_code)]

pub mod courier;
pub mod meter;
pub mod nursery;
pub mod reader;
pub mod stroot;
pub mod switchboard;
pub mod ticker;
pub mod watcher;

otp_bridge::application!();
