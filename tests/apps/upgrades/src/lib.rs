//! Builds of one application that a running VM changes over to: for the live tests.
//!
//! | build | what is new |
//! |---|---|
//! | 1 | the VM is started with it |
//! | 2 | the counter says another number, and the supervisor has one more child |
//! | 3 | the counter's state has another form, and a conversion |
//! | 4 | the counter's state has another form, and no conversion |
#![forbid(unsafe_code)]

pub mod counter;
pub mod ear;
pub mod light;
pub mod opaque;
pub mod stroot;

/// The number of this build.
pub const BUILD: &str = env!("UPGRADES_BUILD");

otp_bridge::application!();
