//! An actor that answers calls.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// The registered clerk.
pub static CLERK: Server<Clerk> = Server::registered();

/// Counts the calls.
#[derive(Debug, Term)]
pub struct Clerk(u64);

/// `ask`
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Ask;

#[gen_server]
impl GenServer for Clerk {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Clerk(0))
    }

    fn handle_call(&mut self, _: Ask) -> HandleCall<u64> {
        self.0 += 1;
        reply(self.0)
    }
}
