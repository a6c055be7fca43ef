//! A generic function.
use otp_bridge_novm as _;

#[otp_bridge::module("geometry")]
pub mod functions {
    pub fn largest<T: Ord>(of: Vec<T>) -> Option<T> {
        of.into_iter().max()
    }
}

fn main() {}
