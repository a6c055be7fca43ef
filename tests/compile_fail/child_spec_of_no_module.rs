//! A type without a behaviour is not a callback module.

use otp_bridge::atom;
use otp_bridge::supervisor::ChildSpec;

struct Counter;

fn child() -> ChildSpec {
    ChildSpec::of::<Counter>(atom!("counter"), 0)
}

fn main() {}
