//! Maps in a map in a tuple, read and written again.
use std::collections::HashMap;

use rustler::NifTaggedEnum;
use rustler::serde::SerdeTerm;
use serde::Deserialize;

/// rustler does not support any other map.
type Nested = HashMap<u64, HashMap<u64, u64>>;

/// `{maps, Maps}`
#[derive(NifTaggedEnum)]
enum Derived {
    Maps(Nested),
}

#[rustler::nif]
fn maps_derive(request: Derived) -> Nested {
    let Derived::Maps(maps) = request;
    maps
}

#[derive(Deserialize)]
enum Request {
    #[serde(rename = "maps")]
    Maps(Nested),
}

#[rustler::nif]
fn maps_serde(SerdeTerm(request): SerdeTerm<Request>) -> SerdeTerm<Nested> {
    let Request::Maps(maps) = request;
    SerdeTerm(maps)
}
