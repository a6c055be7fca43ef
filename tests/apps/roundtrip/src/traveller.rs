//! A server that reads a term as its type, and writes it again.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

use crate::trips::Trip;

/// Nothing is kept.
#[derive(Debug)]
pub struct Traveller;

/// `{'module:type', Value}`, read and written again.
#[derive(Debug, Term)]
#[term(transparent)]
#[reply(Trip)]
pub struct There(Trip);

#[gen_server]
impl GenServer for Traveller {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Traveller)
    }

    fn handle_call(&self, There(trip): There) -> HandleCall<Trip> {
        reply(trip)
    }
}
