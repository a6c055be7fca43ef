//! A server that the handlers call.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// The registered counter.
pub static COUNTER: Server<Counter> = Server::local(otp_bridge::atom!("counter"));

/// The last number.
#[derive(Debug, Term)]
pub struct Counter(u64);

/// `next`: returns the next number.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Next;

/// `fail`: ends the process.
#[derive(Debug, Term)]
pub struct Fail;

#[gen_server]
impl GenServer for Counter {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Counter(0))
    }

    fn handle_call(&mut self, _: Next) -> HandleCall<u64> {
        self.0 += 1;
        reply(self.0)
    }

    fn handle_cast(&mut self, _: Fail) -> Result<HandleCast> {
        Err(Exit::error(otp_bridge::atom!("enough")))
    }
}
