//! `cargo xtask bench`: how fast it is.

mod bridge;
mod specs;

pub(crate) use bridge::bridge;
pub(crate) use specs::{measure, specs};
