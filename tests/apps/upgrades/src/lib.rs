//! Several builds of one application, between which a running VM switches, for the live tests.
//!
//! | build | changes |
//! |---|---|
//! | 1 | the VM is started with it |
//! | 2 | the counter returns another number, the supervisor has one more child, and otp.toml another version and environment |
//! | 3 | the states of the counter, the crews and the purse have another form, and a conversion; the light has another state |
//! | 4 | the states of the counter and the bridge have another form, and no conversion |
//! | 5 | like 3, and the states of the light and the ear have another form; clauses go back to the second build |
#![forbid(unsafe_code)]

pub mod bridge;
pub mod common;
pub mod counter;
pub mod crew;
pub mod dialer;
pub mod ear;
pub mod generated;
pub mod hand;
pub mod hours;
pub mod light;
pub mod opaque;
pub mod purse;
pub mod settings;
pub mod stroot;
pub mod whole;

/// The number of this build.
pub const BUILD: &str = env!("UPGRADES_BUILD");

otp_bridge::application!();
