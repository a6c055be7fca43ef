//! A server that decodes a term as its type, and encodes it again.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

use crate::trips::Trip;

/// A server without state.
#[derive(Debug)]
pub struct Traveller;

/// `{'module:type', Value}`: a value to decode and encode.
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
