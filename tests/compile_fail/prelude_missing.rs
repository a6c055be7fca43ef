//! What a behaviour needs is imported with its prelude.

use otp_bridge::atoms::ok;

#[derive(Debug)]
struct Counter(u64);

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(start))
    }
}

fn main() {}
