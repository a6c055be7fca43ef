//! The attribute belongs to the block, not to the state.

use otp_bridge::gen_server::prelude::*;

#[gen_server]
#[derive(Debug)]
struct Counter(u64);

fn main() {}
