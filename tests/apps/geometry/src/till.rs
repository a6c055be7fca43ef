//! A server whose start argument, messages, replies and state hold shared values.

use otp_bridge::Resource;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::Shared;

use crate::index::functions::Index;

/// A value that all processes share.
#[derive(Debug)]
pub struct Prices(pub Vec<u64>);

/// A resource and a shared value.
#[derive(Debug)]
pub struct Till {
    prices: Shared<Prices>,
    index: Option<Resource<Index>>,
}

/// `{keep, Index}`: keeps the index, and returns the previous one.
#[derive(Debug, Term)]
#[reply(Option<Resource<Index>>)]
pub struct Keep(Option<Resource<Index>>);

/// `lend`: returns the prices.
#[derive(Debug, Term)]
#[reply(Shared<Prices>)]
pub struct Lend;

/// `{take, Prices}`: returns whether these are the server's own prices, in the same memory, and how
/// many there are.
#[derive(Debug, Term)]
#[reply((bool, bool, usize))]
pub struct Take(Shared<Prices>);

#[gen_server]
impl GenServer for Till {
    type Args = Shared<Prices>;

    fn init(prices: Shared<Prices>) -> impl InitReturn<Self> {
        let index = None;
        (ok, Till { prices, index })
    }

    fn handle_call(&mut self, Keep(index): Keep) -> HandleCall<Option<Resource<Index>>> {
        reply(std::mem::replace(&mut self.index, index))
    }

    fn handle_call(&mut self, _: Lend) -> HandleCall<Shared<Prices>> {
        reply(self.prices.clone())
    }

    fn handle_call(&mut self, Take(prices): Take) -> HandleCall<(bool, bool, usize)> {
        let is_same = prices == self.prices;
        let is_there = std::ptr::eq(&raw const *prices, &raw const *self.prices);
        reply((is_same, is_there, prices.0.len()))
    }
}
