//! A process and its state may move to another scheduler thread.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

use std::cell::RefCell;
use std::rc::Rc;

#[derive(Debug)]
struct Counter(Rc<RefCell<u64>>);

#[derive(Debug, Term)]
#[reply(u64)]
struct Get;

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(Rc::new(RefCell::new(start))))
    }

    async fn handle_call(&mut self, _: Get, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        let other = cx.call(&otp_bridge::atom!("other"), Get).await?;
        reply(other)
    }

    fn handle_cast(&mut self, _: Get) -> HandleCast {
        noreply()
    }
}

fn main() {}
