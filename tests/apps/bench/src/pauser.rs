//! Yields; `erlang/pauser_erlang.erl` does the same.
use std::hint::black_box;
use std::time::Instant;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// Nothing: it only yields.
#[derive(Debug)]
pub struct Pauser;

/// `{yields, Times}`: yields this many times.
#[derive(Debug, Term)]
#[reply(Atom)]
pub struct Yields(pub u64);

/// `{checkpoints, Times}`: passes this many checkpoints and replies with the nanoseconds that they
/// took, without the loop around them. They should fit in a tenth of a millisecond, the first
/// slice.
#[derive(Debug, Term)]
#[reply(i64)]
pub struct Checkpoints(pub u64);

#[gen_server]
impl GenServer for Pauser {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Pauser)
    }

    async fn handle_call(&self, Yields(times): Yields, cx: &Cx<'_>) -> Result<HandleCall<Atom>> {
        for _ in 0..times {
            cx.yield_now().await;
        }
        reply(ok.into())
    }

    async fn handle_call(
        &self,
        Checkpoints(times): Checkpoints,
        cx: &Cx<'_>,
    ) -> Result<HandleCall<i64>> {
        let start = Instant::now();
        for number in 0..times {
            black_box(number);
            cx.checkpoint().await;
        }
        let with = start.elapsed();
        let start = Instant::now();
        for number in 0..times {
            black_box(number);
        }
        let nanoseconds = with.as_nanos() as i64 - start.elapsed().as_nanos() as i64;
        reply(nanoseconds)
    }
}
