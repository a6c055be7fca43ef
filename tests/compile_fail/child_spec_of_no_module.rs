//! A type without a behaviour is not a callback module.

use otp_bridge::supervisor::ChildSpec;

struct Counter;

fn child() -> ChildSpec {
    ChildSpec::of::<Counter>(0)
}

fn main() {}
