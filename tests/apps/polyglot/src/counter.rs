//! A server under an Elixir supervisor.
use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::OrNil;

use crate::generated::item::Item;

/// The present sum.
#[derive(Debug)]
pub struct Counter {
    sum: u64,
}

/// `{add, Number}`: adds to the sum.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Add(pub u64);

/// `{sell, Item}`: sells an item. Returns the previous one, or `nil`.
#[derive(Debug, Term)]
#[reply(OrNil<Item>)]
pub struct Sell(pub Item);

/// `{last, Item}`: the request to the till.
#[derive(Debug, Term)]
#[reply(OrNil<Item>)]
pub struct Last(pub Item);

/// `crash`
#[derive(Debug, Term)]
pub struct Crash;

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(sum: u64) -> impl InitReturn<Self> {
        (ok, Counter { sum })
    }

    fn handle_call(&mut self, Add(number): Add) -> HandleCall<u64> {
        self.sum += number;
        reply(self.sum)
    }

    async fn handle_call(
        &mut self,
        Sell(item): Sell,
        cx: &Cx<'_>,
    ) -> Result<HandleCall<OrNil<Item>>> {
        self.sum += item.price;
        // The till is a server written in Elixir. It returns the item of the previous request.
        let till = atom!("Elixir.Shop.Till");
        let before = cx.call(&till, Last(item)).await?;
        Ok(reply(before))
    }

    fn handle_cast(&mut self, _: Crash) -> HandleCast {
        panic!("told to")
    }
}
