//! A result that is a part of an argument.
use otp_bridge_novm as _;

#[otp_bridge::module("texts")]
pub mod functions {
    pub fn trimmed(text: &str) -> &str {
        text.trim()
    }
}

fn main() {}
