//! States that stay in place, concurrent operations, and schedulers, for the live tests.
#![forbid(unsafe_code)]

pub mod counted;
pub mod crowd;
pub mod desk;
pub mod ear;
pub mod gate;
pub mod heavy;
pub mod keeper;
pub mod listener;
pub mod mill;
pub mod mover;
pub mod patient;
pub mod porter;
pub mod post;
pub mod roomy;
pub mod rude;
pub mod runner;
pub mod safe;
pub mod scout;
pub mod spy;
pub mod storm;
pub mod stroot;
pub mod valve;
pub mod vault;
pub mod wall;
pub mod witness;

otp_bridge::application!();
