//! Types as users write them: every form of `derive(Term)`, and types that were once slow to read,
//! or read by a deep recursion.

use std::collections::BTreeMap;

use otp_bridge::term::{Binary, Integer, Iodata, Map};
use otp_bridge::{Atom, Pid, Term, Timeout};

#[derive(Debug, Term)]
pub struct Get;

#[derive(Debug, Term)]
pub struct HttpGet(pub String, pub Timeout);

/// Without `exact`, it would accept keys that its Erlang type does not have.
#[derive(Debug, Term)]
#[term(exact)]
pub struct Point {
    pub x: i64,
    #[term(optional)]
    pub label: Option<String>,
    #[term(key = "type")]
    pub kind: Get,
    pub r#final: bool,
}

#[derive(Debug, Term)]
#[term(exact)]
pub struct Exact {
    pub size: u8,
    #[term(optional)]
    pub colour: Option<Atom>,
}

#[derive(Debug, Term)]
pub struct Open {
    pub size: u8,
    #[term(rest)]
    pub rest: Map<Term, Term>,
}

#[derive(Debug, Term)]
#[term(record)]
pub struct Address {
    pub street: String,
    pub number: Option<u8>,
}

#[derive(Debug, Term)]
#[term(tuple)]
pub struct Pair {
    pub left: i32,
    pub right: f64,
}

#[derive(Debug, Term)]
#[term(transparent)]
pub struct Wrapper<T> {
    pub content: Vec<T>,
}

#[derive(Debug, Term)]
pub enum Returned<Value, State> {
    Noreply(State),
    #[term(tag = "noreply")]
    NoreplyWith(State, Timeout),
    Reply(Value, State),
    Stop,
    #[term(tag = "stop")]
    StopWith(State),
    #[term(record)]
    Moved {
        to: Value,
        code: u16,
    },
}

/// A union whose members differ only in their inner parts.
#[derive(Debug, Term)]
pub enum Way {
    #[term(untagged)]
    Left(Box<Left>),
    #[term(untagged)]
    Right(Box<Right>),
    Done,
}

#[derive(Debug, Term)]
#[term(tag = "x")]
pub struct Left(pub Way, pub L);

#[derive(Debug, Term)]
#[term(tag = "x")]
pub struct Right(pub Way, pub R);

#[derive(Debug, Term)]
pub struct L;

#[derive(Debug, Term)]
pub struct R;

#[derive(Debug, Term)]
pub enum Value {
    #[term(untagged)]
    Boolean(bool),
    #[term(untagged)]
    Small(u8),
    #[term(untagged)]
    Large(Integer),
    #[term(untagged)]
    Float(f64),
    #[term(untagged)]
    Text(String),
    #[term(untagged)]
    Bytes(Binary),
    #[term(untagged)]
    Listed(Vec<Value>),
    #[term(untagged)]
    Pair((Box<Value>, Box<Value>)),
    #[term(untagged)]
    Keyed(BTreeMap<String, Value>),
    #[term(untagged)]
    Other(Pid),
}

#[derive(Debug, Term)]
pub enum Shell {
    Data(Iodata),
    Maybe(Option<bool>),
    Letters(Vec<char>),
    Nested(Vec<Option<Box<Shell>>>),
    Wide((u8, u16, u32, u64, i8, i16, i32, i64)),
    Returned(Returned<Box<Shell>, Point>),
    Wrapped(Wrapper<Exact>),
}
