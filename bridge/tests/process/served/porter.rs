//! A server that refuses messages that it has no clause for.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
pub(crate) struct Porter(u64);

#[derive(Debug, Term)]
#[reply(u64)]
pub(crate) struct Next;

#[gen_server(bad_messages = "refuse")]
impl GenServer for Porter {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Porter(0))
    }

    fn handle_call(&mut self, _: Next) -> HandleCall<u64> {
        self.0 += 1;
        reply(self.0)
    }
}
