//! A ledger with a copy on each of two nodes. It survives kills, network splits, slow disks and
//! upgrades; `cargo xtask chaos` compares it with a model.
//!
//! There are two builds with different states. Each build converts the other one's state.
#![forbid(unsafe_code)]

pub mod book;
pub mod keeper;
pub mod stroot;

/// The number of this build.
pub const BUILD: &str = env!("LEDGER_BUILD");

otp_bridge::application!();
