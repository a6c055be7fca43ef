//! Asks another server before it replies; `erlang/asker_erlang.erl` does the same.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

use crate::counter::{Add, Counter};

/// The server to call.
#[derive(Debug)]
pub struct Asker {
    counter: Server<Counter>,
}

/// `{ask, By}`: the reply is the counter's new sum.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Ask(pub u64);

#[gen_server]
impl GenServer for Asker {
    /// The counter.
    type Args = Pid;

    fn init(counter: Pid) -> impl InitReturn<Self> {
        let counter = counter.into();
        (ok, Asker { counter })
    }

    async fn handle_call(&self, Ask(by): Ask, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        let sum = cx.call(&self.counter, Add(by)).await?;
        reply(sum)
    }
}
