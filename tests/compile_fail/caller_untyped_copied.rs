//! A caller without a type gets one reply, too.
use otp_bridge::Caller;
use otp_bridge::gen_server::prelude::*;

fn twice(caller: Caller<u64>) -> (Caller<Term>, Caller<Term>) {
    let caller = caller.untyped();
    (caller.clone(), caller)
}

fn main() {}
