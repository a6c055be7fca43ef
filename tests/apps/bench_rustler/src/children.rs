//! `{ok, {SupFlags, [ChildSpec]}}` of many children, as a supervisor's `init/1` returns it.
use rustler::serde::SerdeTerm;
use rustler::{Encoder, Env, NifMap, NifUnitEnum, Term};
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

/// `[Count, []]`: the elements of this list have different types, which none of rustler's derives
/// can express.
enum Argument {
    Count(u64),
    Options,
}

impl Encoder for Argument {
    fn encode<'a>(&self, env: Env<'a>) -> Term<'a> {
        match self {
            Argument::Count(count) => count.encode(env),
            Argument::Options => Vec::<u64>::new().encode(env),
        }
    }
}

impl Serialize for Argument {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Argument::Count(count) => serializer.serialize_u64(*count),
            Argument::Options => serializer.collect_seq(std::iter::empty::<u64>()),
        }
    }
}

#[derive(NifMap, Serialize)]
#[rustler(encode)]
struct ChildSpec {
    id: u32,
    start: (Module, Function, Vec<Argument>),
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
        start: (
            Module::Counter,
            Function::StartLink,
            vec![Argument::Count(u64::from(id)), Argument::Options],
        ),
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
