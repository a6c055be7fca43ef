//! A handle of a type that is not a resource.
use otp_bridge::Resource;
use otp_bridge_novm as _;

pub struct Counter {
    pub count: u64,
}

fn main() {
    let _ = Resource::new(Counter { count: 0 });
}
