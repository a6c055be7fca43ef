//! The clerk: a `gen_server` that sells postage. It calls the Erlang application `tariff` for the
//! prices.

use std::num::NonZeroU64;

use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

use crate::generated::tariff::{self, Parcel, Price, Zone};

/// The registered clerk.
pub static CLERK: Server<Clerk> = Server::registered();

/// Number of paid parcels, and the total amount.
#[derive(Debug, Default, Term)]
pub struct Clerk {
    parcels: u64,
    cents: u64,
}

/// `{sell, Grams, domestic | abroad}`
#[derive(Debug, Term)]
#[reply(Sold)]
pub struct Sell(pub NonZeroU64, pub Zone);

/// `{cents, Price} | too_heavy`
#[derive(Debug, Term)]
pub enum Sold {
    /// The price of the parcel.
    Cents(u64),
    /// The parcel is too heavy to be sent.
    TooHeavy,
}

/// `taken`: returns `{Parcels, Cents}`, the totals.
#[derive(Debug, Term)]
#[reply((u64, u64))]
pub struct Taken;

#[gen_server]
impl GenServer for Clerk {
    type Args = Vec<String>;

    /// If the command line has a weight and a zone, prints the price.
    async fn init(arguments: Vec<String>, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        if let [grams, zone] = arguments.as_slice() {
            let usage = |_| Exit::new("usage: cargo otp run -- GRAMS ZONE");
            let weight = grams.parse().map_err(usage)?;
            let to = match zone.as_str() {
                "abroad" => Zone::Abroad,
                _ => Zone::Domestic,
            };
            match price(cx, weight, to).await? {
                Sold::Cents(cents) => println!("{grams} g {zone}: {cents} cents"),
                Sold::TooHeavy => println!("{grams} g are too heavy"),
            }
        }
        Ok((ok, Clerk::default()))
    }

    async fn handle_call(
        &mut self,
        Sell(grams, zone): Sell,
        cx: &Cx<'_>,
    ) -> Result<HandleCall<Sold>> {
        let sold = price(cx, grams, zone).await?;
        if let Sold::Cents(cents) = sold {
            self.parcels += 1;
            self.cents += cents;
        }
        Ok(HandleCall::Reply(sold))
    }

    fn handle_call(&mut self, _: Taken) -> HandleCall<(u64, u64)> {
        reply((self.parcels, self.cents))
    }
}

/// Returns the tariff's price after the discount. `tariff` calls the module `loyalty` for that.
async fn price(cx: &Cx<'_>, grams: NonZeroU64, zone: Zone) -> Result<Sold> {
    let parcel = Parcel {
        grams,
        insured: None,
    };
    match tariff::price(cx, parcel, zone).await? {
        Ok(full) => {
            let Price(cents) = tariff::discounted(cx, atom!("loyalty"), full).await?;
            Ok(Sold::Cents(cents))
        }
        Err(_too_heavy) => Ok(Sold::TooHeavy),
    }
}
