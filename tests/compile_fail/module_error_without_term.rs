//! An error whose type is neither a term nor an `Exit`.
use otp_bridge_novm as _;

#[otp_bridge::module("files")]
pub mod functions {
    pub fn size(path: &str) -> std::io::Result<u64> {
        Ok(std::fs::metadata(path)?.len())
    }
}

fn main() {}
