//! `cargo xtask bench`: how fast otp-rs is.

mod bridge;
mod build;
mod specs;

pub(crate) use bridge::bridge;
pub(crate) use build::build;
pub(crate) use specs::{measure, specs};
