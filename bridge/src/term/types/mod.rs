//! The Rust types for Erlang's own types, in one file per kind.
//!
//! | Erlang | Rust |
//! |---|---|
//! | `atom()`, `ok` | [`Atom`], a unit struct of [`atoms`](mod@crate::atoms) |
//! | `integer()`, `1..100`, `16` | [`Integer`] and Rust's integers, [`Ranged`], [`Literal`] |
//! | `float()`, `number()` | `f64` and [`Float`], [`Number`] |
//! | `binary()`, `bitstring()`, `<<_:256>>` | [`Binary`] and `String`, [`Bitstring`], [`Bits`] |
//! | `binary()` in code that uses [`bytes`](https://docs.rs/bytes) | `bytes::Bytes` |
//! | `string()`, `iodata()`, `iolist()` | [`ErlangString`], [`Iodata`], [`Iolist`] |
//! | `[T]`, `[T, ...]`, improper lists | `Vec<T>` and `VecDeque`, [`NonemptyList`], [`MaybeImproperList`] |
//! | `{A, B}`, `tuple()` | Rust's tuples, [`Tuple`] |
//! | `#{K => V}`, `#{}` | [`Map`], `BTreeMap` and `HashMap`, [`EmptyMap`] |
//! | `pid()`, `port()`, `reference()` | [`Pid`], [`Port`], [`Reference`] |
//! | `fun((A) -> B)`, `fun()` | [`FunOf`], [`Fun`] |
//! | `timeout()`, milliseconds in arguments | [`Timeout`], [`Milliseconds`] |
//! | `undefined \| T` | `Option<T>` |
//! | `nil \| T` | [`OrNil`] |
//! | `undefined` alone, for values that are not part of a term | [`BuildLocal`] |
//! | `term()`, `none()` | [`Term`](enum@crate::Term), [`Never`] |

mod any_tuple;
mod atom;
mod binary;
mod bits;
mod bitstring;
mod boolean;
mod build_local;
mod bytes;
mod character;
mod empty;
mod float;
mod fun;
mod fun_of;
mod given;
mod identifier;
mod improper_list;
mod integer;
mod integers;
mod iodata;
mod iolist;
mod list;
mod literal;
mod map;
mod never;
mod nonempty_list;
mod nonempty_string;
mod number;
mod option;
mod or_nil;
mod pid;
mod pointer;
mod port;
mod ranged;
mod reference;
mod request;
mod resource;
mod result;
mod shown;
mod simple;
mod term;
mod text;
mod timeout;
mod tuple;
mod written;

pub use any_tuple::Tuple;
pub(crate) use atom::AtomOrigin;
pub use atom::{Atom, AtomOf, AtomTooLong};
pub use binary::Binary;
pub use bits::{Bits, WrongSize};
pub use bitstring::Bitstring;
pub use build_local::BuildLocal;
pub use character::Char;
pub use empty::{EmptyMap, Nil};
pub use float::Float;
pub use fun::{ExternalFun, Fun, LocalFun};
pub use fun_of::{AnyArguments, FunOf, FunSignature};
pub use given::{Constrained, GivenFor, Milliseconds, checked};
pub use identifier::Identifier;
pub use improper_list::{MaybeImproperList, NonemptyImproperList};
pub use integer::Integer;
pub use iodata::Iodata;
pub use iolist::Iolist;
pub use literal::Literal;
pub use map::Map;
pub(crate) use map::{check_entry, read_entry};
pub use never::Never;
pub use nonempty_list::{NoElements, NonemptyList};
pub use nonempty_string::NonemptyString;
pub use number::Number;
pub(super) use option::UNDEFINED;
pub use or_nil::OrNil;
pub(crate) use pid::{Identity, ask_vm_by};
pub use pid::{Pid, PidParts};
pub use port::{Port, PortParts};
pub use ranged::{NegInteger, OutOfRange, Ranged};
pub use reference::{Reference, ReferenceParts};
pub use request::{Answered, Request};
pub use resource::{Resource, ResourceType, Shared};
pub use text::ErlangString;
pub(super) use text::not_text;
pub use timeout::Timeout;
#[doc(hidden)]
pub use timeout::milliseconds;
