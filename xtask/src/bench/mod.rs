//! `cargo xtask bench`: how fast otp-rs is.

mod bridge;
mod specs;

pub(crate) use bridge::bridge;
pub(crate) use specs::{measure, specs};
