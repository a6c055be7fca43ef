//! Adds; `erlang/counter_erlang.erl` and `erlang/counter_c.erl` do the same.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// The sum.
#[derive(Debug)]
pub struct Counter {
    count: u64,
}

/// `{add, By}`: adds. A call also gets the new sum as its reply.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Add(pub u64);

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(count: u64) -> impl InitReturn<Self> {
        (ok, Counter { count })
    }

    fn handle_call(&mut self, Add(by): Add) -> HandleCall<u64> {
        self.count += by;
        reply(self.count)
    }

    fn handle_cast(&mut self, Add(by): Add) -> HandleCast {
        self.count += by;
        noreply()
    }
}
