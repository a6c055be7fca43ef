//! A ledger with a copy on each of two nodes, which goes on through kills, splits, slow disks and
//! upgrades. `cargo xtask chaos` compares it with a model.
//!
//! There are two builds, whose states have another form. Each converts the state of the other one.
#![forbid(unsafe_code)]

pub mod book;
pub mod keeper;
pub mod stroot;

/// The number of this build.
pub const BUILD: &str = env!("LEDGER_BUILD");

otp_bridge::application!();
