//! Thread ring (Savina): P processes form a ring, and pass a token on N times in all.
//!
//! Start it with `cargo otp run --release -- P N`.

pub mod aggregator;
pub mod member;
pub mod stroot;

#[cfg(test)]
use otp_bridge_novm as _;

otp_bridge::application!();
