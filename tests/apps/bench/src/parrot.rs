//! Replies with the request, to measure decoding and encoding a term. `tests/apps/bench_rustler`
//! does the same with rustler's own codecs.
use std::collections::BTreeMap;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::Binary;

/// Nothing: it only repeats.
#[derive(Debug)]
pub struct Parrot;

/// `{bytes, Binary}`
#[derive(Debug, Term)]
#[reply(Binary)]
pub struct Bytes(pub Binary);

/// Maps in a map.
pub type Nested = BTreeMap<u64, BTreeMap<u64, u64>>;

/// `{maps, Maps}`
#[derive(Debug, Term)]
#[reply(Nested)]
pub struct Maps(pub Nested);

#[gen_server]
impl GenServer for Parrot {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Parrot)
    }

    fn handle_call(&self, Bytes(bytes): Bytes) -> HandleCall<Binary> {
        reply(bytes)
    }

    fn handle_call(&self, Maps(maps): Maps) -> HandleCall<Nested> {
        reply(maps)
    }
}
