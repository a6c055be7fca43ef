//! One of the requests of an enum has a clause above it.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug, Term)]
struct Clear;

#[derive(Debug, Term)]
enum Order {
    Add(u64),
    Clear,
}

#[derive(Debug)]
struct Counter(u64);

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(start))
    }

    fn handle_cast(&mut self, _: Clear) -> HandleCast {
        self.0 = 0;
        noreply()
    }

    fn handle_cast(&mut self, order: Order) -> HandleCast {
        self.0 = match order {
            Order::Add(by) => self.0 + by,
            Order::Clear => 1,
        };
        noreply()
    }
}

fn main() {}
