//! A reply may be written on another thread.

use std::rc::Rc;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Counter(u64);

#[derive(Debug, Term)]
#[reply(Count)]
struct Get;

/// It has a hand-written shape.
#[derive(Debug)]
struct Count(Rc<u64>);

impl otp_bridge::ErlangType for Count {
    fn erlang_type() -> String {
        u64::erlang_type()
    }
}

impl otp_bridge::ToTerm for Count {
    fn to_term<H: otp_bridge::Heap>(&self, heap: H) -> H::Term {
        self.0.to_term(heap)
    }
}

impl otp_bridge::FromTerm for Count {
    fn from_term<'a, V: otp_bridge::View<'a>>(
        view: V,
    ) -> std::result::Result<Self, otp_bridge::DecodeError> {
        Ok(Count(Rc::new(u64::from_term(view)?)))
    }
}

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(start))
    }

    fn handle_call(&self, _: Get) -> HandleCall<Count> {
        reply(Count(Rc::new(self.0)))
    }
}

fn main() {}
