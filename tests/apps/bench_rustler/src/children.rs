//! `{ok, {SupFlags, [ChildSpec]}}` of many children, as a supervisor's `init/1` returns it.
use rustler::serde::SerdeTerm;
use rustler::{NifMap, NifUnitEnum};
use serde::Serialize;

#[derive(Clone, Copy, NifUnitEnum, Serialize)]
#[serde(rename_all = "snake_case")]
enum Strategy {
    OneForOne,
}

#[derive(NifMap, Serialize)]
#[rustler(encode)]
struct SupFlags {
    strategy: Strategy,
    intensity: u32,
    period: u32,
}

#[derive(Clone, Copy, NifUnitEnum, Serialize)]
#[serde(rename_all = "snake_case")]
enum Module {
    Counter,
}

#[derive(Clone, Copy, NifUnitEnum, Serialize)]
#[serde(rename_all = "snake_case")]
enum Function {
    StartLink,
}

#[derive(Clone, Copy, NifUnitEnum, Serialize)]
#[serde(rename_all = "snake_case")]
enum Tag {
    Ok,
}

#[derive(NifMap, Serialize)]
#[rustler(encode)]
struct ChildSpec {
    id: u32,
    start: (Module, Function, Vec<u64>),
}

type Init = (Tag, (SupFlags, Vec<ChildSpec>));

fn init(count: u32) -> Init {
    let flags = SupFlags {
        strategy: Strategy::OneForOne,
        intensity: 1,
        period: 5,
    };
    let child = |id: u32| ChildSpec {
        id,
        start: (Module::Counter, Function::StartLink, vec![u64::from(id)]),
    };
    (Tag::Ok, (flags, (0..count).map(child).collect()))
}

#[rustler::nif]
fn init_derive(count: u32) -> Init {
    init(count)
}

#[rustler::nif]
fn init_serde(count: u32) -> SerdeTerm<Init> {
    SerdeTerm(init(count))
}
