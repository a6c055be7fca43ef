//! Calls the counter once for each number, then ends.
use otp_bridge::atom;
use otp_bridge::atoms::{continue_, normal, ok};
use otp_bridge::gen_server::prelude::*;

use crate::counter::{Add, Counter};

/// The numbers to add.
#[derive(Debug)]
pub struct Visitor {
    numbers: Vec<u64>,
}

/// `visit`
#[derive(Debug, Term)]
pub struct Visit;

#[gen_server]
impl GenServer for Visitor {
    type Args = Vec<u64>;

    fn init(numbers: Vec<u64>) -> impl InitReturn<Self> {
        (ok, Visitor { numbers }, (continue_, Visit))
    }

    async fn handle_continue(&mut self, _: Visit, cx: &Cx<'_>) -> Result<HandleContinue> {
        let counter = Server::<Counter>::local(atom!("counter"));
        for &number in &self.numbers {
            let count = cx.call(&counter, Add(number)).await?;
            println!("gen_server:call(counter, {{add, {number}}}) -> {count}");
        }
        stop(normal)
    }
}
