//! A server that answers victims, or makes them wait.
use std::collections::VecDeque;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// Maximum number of waiting callers. A further caller replaces the oldest one.
const PATIENT: usize = 4096;

/// The waiting callers.
#[derive(Debug)]
pub struct Clerk {
    waiting: VecDeque<Caller<u64>>,
}

/// `{echo, Value}`
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Echo(pub u64);

/// `never`: makes the caller wait.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Never;

/// `clear`: drops all waiting callers.
#[derive(Debug, Term)]
pub struct Clear;

#[gen_server]
impl GenServer for Clerk {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        let waiting = VecDeque::new();
        (ok, Clerk { waiting })
    }

    fn handle_call(&self, Echo(value): Echo) -> HandleCall<u64> {
        reply(value)
    }

    fn handle_call(&mut self, _: Never, caller: Caller<u64>) -> HandleCallNoreply {
        self.waiting.push_back(caller);
        if self.waiting.len() > PATIENT {
            self.waiting.pop_front();
        }
        noreply()
    }

    fn handle_cast(&mut self, _: Clear) -> HandleCast {
        self.waiting.clear();
        noreply()
    }
}
