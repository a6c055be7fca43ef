//! A counter.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// The server's state.
#[derive(Debug)]
pub struct Counter {
    count: u64,
}

/// `{add, By}`: adds, and replies with the new count.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Add(pub u64);

#[gen_server]
impl GenServer for Counter {
    /// The first count.
    type Args = u64;

    fn init(count: u64) -> impl InitReturn<Self> {
        (ok, Counter { count })
    }

    fn handle_call(&mut self, Add(by): Add) -> HandleCall<u64> {
        self.count += by;
        reply(self.count)
    }
}
