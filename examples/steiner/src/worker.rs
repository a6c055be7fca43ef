//! A worker: a process that computes trees for other processes.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::task::PoolMembership;

otp_bridge::task_pool! {
    /// The pool of workers: one process for each core.
    pub static POOL;
}

/// A worker of the pool.
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
