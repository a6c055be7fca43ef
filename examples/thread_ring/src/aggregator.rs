//! The process that starts the token, and reports how long all hops took.

use std::time::Instant;

use otp_bridge::atoms::{normal, ok};
use otp_bridge::gen_server::prelude::*;

use crate::member::{self, Member, Token};

/// Start time of the token.
#[derive(Debug)]
pub struct Aggregator {
    members: u32,
    hops: u64,
    started: Instant,
}

/// `done`: the token has no hops left.
#[derive(Debug, Term)]
pub struct Done;

#[gen_server]
impl GenServer for Aggregator {
    /// Number of members, and number of hops.
    type Args = (u32, u64);

    fn init((members, hops): (u32, u64)) -> impl InitReturn<Self> {
        let aggregator = Aggregator {
            members,
            hops,
            started: Instant::now(),
        };
        (ok, aggregator)
    }

    fn handle_start(&mut self, _: (u32, u64), cx: &Cx<'_>) -> HandleStart {
        let first = Server::<Member>::local(member::name(0));
        self.started = Instant::now();
        cx.cast(&first, Token(self.hops));
        noreply()
    }

    fn handle_cast(&self, _: Done) -> HandleCast {
        let elapsed = self.started.elapsed();
        let each = elapsed.as_nanos() / u128::from(self.hops.max(1));
        println!(
            "{} members, {} hops: {elapsed:.3?}, {each} ns a hop",
            self.members, self.hops
        );
        stop(normal)
    }
}
