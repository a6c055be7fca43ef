//! A member of a ring.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

use crate::bench::{BENCH, Done};

/// Passes a number on.
#[derive(Debug, Term)]
pub struct Member {
    next: Option<Server<Member>>,
}

/// `{next, Member}`: sets the member to pass the number to.
#[derive(Debug, Term)]
#[reply(ok)]
pub struct Next(pub Server<Member>);

/// `{hops, Hops}`: the number, which is passed on.
#[derive(Debug, Term)]
pub struct Hops(pub u64);

#[gen_server]
impl GenServer for Member {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Member { next: None })
    }

    fn handle_call(&mut self, Next(next): Next) -> HandleCall<ok> {
        self.next = Some(next);
        reply(ok)
    }

    fn handle_cast(&mut self, Hops(hops): Hops, cx: &Cx<'_>) -> HandleCast {
        match (hops, &self.next) {
            (1.., Some(next)) => cx.cast(next, Hops(hops - 1)),
            _ => cx.cast(&BENCH, Done),
        }
        noreply()
    }
}
