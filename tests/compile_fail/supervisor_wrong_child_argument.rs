//! `Counter` is started with a `u64`.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::{GenServer, gen_server};
use otp_bridge::supervisor::prelude::*;

struct Root;

#[derive(Debug)]
struct Counter(u64);

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl otp_bridge::gen_server::InitReturn<Self> {
        (ok, Counter(start))
    }
}

#[supervisor]
impl Supervisor for Root {
    type Args = ();

    fn init(_: ()) -> impl InitReturn {
        (ok, (SupFlags::one_for_one(), vec![ChildSpec::of::<Counter>("zero")]))
    }
}

fn main() {}
