//! A server whose types implement serde's traits, and do not know Erlang.
use std::collections::BTreeMap;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::serde::{Elixir, Records, Serde, from_bytes, to_bytes};
use otp_bridge::term::Binary;
use serde::{Deserialize, Serialize};

/// A type of a library that does not know otp-rs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Parcel {
    /// Numbered from 1.
    pub number: u128,
    /// The receiver, if it is known.
    pub receiver: Option<String>,
    /// Weight in kilograms.
    pub weight: f64,
    /// Content of the parcel.
    pub content: Vec<Item>,
    /// Any remarks.
    pub remarks: BTreeMap<(u8, char), bool>,
}

/// An item in a parcel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Item {
    /// `letter`
    Letter,
    /// `{books, Count}`
    Books(u32),
    /// `{unseen_by_this_node, #{side => Side}}`
    UnseenByThisNode {
        /// Length in metres.
        side: f32,
    },
}

/// `{keep, Parcel}`: returns the parcel.
#[derive(Debug, Term)]
#[reply(Serde<Parcel>)]
pub struct Keep(pub Serde<Parcel>);

/// `{record, Record}`: returns the parcel. `nil` stands for `undefined`, as in Elixir.
#[derive(Debug, Term)]
#[reply(Serde<Parcel, Elixir>)]
pub struct Record(pub Serde<Parcel, Records>);

/// `{bytes, Bytes}`: returns the encoded parcel.
#[derive(Debug, Term)]
#[reply(Binary)]
pub struct Bytes(pub Binary);

/// `unseen`: returns an item whose atoms may be new to the node.
#[derive(Debug, Term)]
#[reply(Serde<Item>)]
pub struct Unseen;

/// A server without state.
#[derive(Debug)]
pub struct Depot;

#[gen_server]
impl GenServer for Depot {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Depot)
    }

    fn handle_call(&self, Keep(parcel): Keep) -> HandleCall<Serde<Parcel>> {
        reply(parcel)
    }

    fn handle_call(&self, Record(parcel): Record) -> HandleCall<Serde<Parcel, Elixir>> {
        reply(Serde::new(parcel.into_inner()))
    }

    fn handle_call(&self, Bytes(bytes): Bytes) -> Result<HandleCall<Binary>> {
        let parcel: Parcel = from_bytes(&bytes).map_err(Exit::new)?;
        reply(Binary::from(to_bytes(&parcel).map_err(Exit::new)?))
    }

    fn handle_call(&self, Unseen: Unseen) -> HandleCall<Serde<Item>> {
        reply(Serde::new(Item::UnseenByThisNode { side: 0.5 }))
    }
}
