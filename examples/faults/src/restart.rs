//! Restart after an abnormal exit: the fault is a panic. Only the process that panics ends, and its
//! supervisor restarts it.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::supervisor::{self, ChildSpec, SupFlags, Supervisor, supervisor};

use crate::ask::{Ask, SERVICE};

/// Starts the worker, and restarts it after each fault.
pub struct Restart;

#[supervisor]
impl Supervisor for Restart {
    /// Maximum number of restarts within a second.
    type Args = u64;

    fn init(restarts: u64) -> impl supervisor::InitReturn {
        let worker = ChildSpec::of::<Worker>(()).registered(SERVICE);
        (
            ok,
            (
                SupFlags::one_for_one().intensity(restarts).period(1),
                vec![worker],
            ),
        )
    }
}

/// Answers.
#[derive(Debug, Term)]
pub struct Worker;

#[gen_server]
impl GenServer for Worker {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Worker)
    }

    fn handle_call(&mut self, ask: Ask) -> HandleCall<u64> {
        assert!(!ask.fault, "a fault");
        reply(ask.answer())
    }
}
