//! A resource whose value cannot be used by several threads.
use std::cell::Cell;

use otp_bridge::Resource;
use otp_bridge_novm as _;

#[derive(Resource)]
pub struct Counter {
    count: Cell<u64>,
}

fn main() {}
