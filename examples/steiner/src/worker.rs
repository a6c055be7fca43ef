//! A process that solves for others.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::task::PoolMembership;

otp_bridge::task_pool! {
    /// The processes that solve many graphs at once, one for each core.
    pub static POOL;
}

/// One of them.
#[derive(Debug, Term)]
pub struct Worker {
    _member: PoolMembership,
}

#[gen_server]
impl GenServer for Worker {
    /// Its number.
    type Args = u16;

    fn init(number: u16, cx: &Cx<'_>) -> impl InitReturn<Self> {
        let _member = POOL.join(number, cx);
        (ok, Worker { _member })
    }
}
