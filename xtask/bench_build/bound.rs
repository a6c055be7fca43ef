//! The server `counter`.
use otp_bridge::atoms::ok;
use otp_bindings::atoms::{active, binary, false_, named_table};
use otp_bindings::{ets, gen_tcp};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::Tuple;
use otp_bridge::atom;

/// The server's state.
#[derive(Debug)]
pub struct Counter {
    count: u64,
}

/// `get`: the count.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Get;

#[gen_server]
impl GenServer for Counter {
    /// The argument of the child specification.
    type Args = ();

    fn init(_args: ()) -> impl InitReturn<Self> {
        (ok, Counter { count: 0 })
    }

    async fn handle_call(&mut self, _: Get, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        let table = ets::new(cx, atom!("seen"), vec![named_table.into()]).await?;
        ets::insert(cx, table.clone(), Tuple::from(("key", 1))).await?;
        let found = ets::lookup(cx, table, "key").await?;
        let options = vec![binary.into(), (active, false_).into()];
        if let Ok(socket) = gen_tcp::listen(cx, 0, options).await? {
            gen_tcp::close(cx, socket).await?;
        }
        self.count += found.len() as u64;
        reply(self.count)
    }
}
