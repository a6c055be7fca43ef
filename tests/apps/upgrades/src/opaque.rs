//! A server whose state is not a term.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// It does not derive `Term`.
#[derive(Debug)]
pub struct Opaque(u64);

/// `add`: adds. Returns the new number.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Add;

#[gen_server]
impl GenServer for Opaque {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Opaque(0))
    }

    fn handle_call(&mut self, _: Add) -> HandleCall<u64> {
        self.0 += 1;
        reply(self.0)
    }
}
