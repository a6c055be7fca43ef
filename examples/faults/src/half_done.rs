//! A panic in the middle of a call: the teller has withdrawn from one account but not yet deposited
//! to the other. The state is lost with the process, and the supervisor starts a process with
//! consistent accounts.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::supervisor::{self, ChildSpec, SupFlags, Supervisor, supervisor};

use crate::ask::{Ask, SERVICE};

const TOTAL: u64 = 1_000;

/// Starts the teller, and restarts it after each fault.
pub struct HalfDone;

#[supervisor]
impl Supervisor for HalfDone {
    /// Maximum number of restarts within a second.
    type Args = u64;

    fn init(restarts: u64) -> impl supervisor::InitReturn {
        let teller = ChildSpec::of::<Teller>(()).registered(SERVICE);
        let flags = SupFlags::one_for_one().intensity(restarts).period(1);
        (ok, (flags, vec![teller]))
    }
}

/// Transfers money between two accounts, whose total must not change.
#[derive(Debug, Term)]
pub struct Teller {
    accounts: [u64; 2],
}

#[gen_server]
impl GenServer for Teller {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        let accounts = [TOTAL, 0];
        (ok, Teller { accounts })
    }

    fn handle_call(&mut self, ask: Ask) -> HandleCall<u64> {
        let from = usize::from(self.accounts[0] == 0);
        self.accounts[from] -= 1;
        assert!(!ask.fault, "a fault");
        self.accounts[1 - from] += 1;
        let fits = self.accounts[0] + self.accounts[1] == TOTAL;
        reply(if fits { ask.answer() } else { 0 })
    }
}
