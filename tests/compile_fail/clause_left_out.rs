//! A callback whose condition does not hold is not there.

use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    #[cfg(any())]
    fn init(start: u64) -> Init<Self> {
        Init::Ok(Counter(start))
    }
}

fn main() {}
