//! The Erlang names of simple types, and the implementations for types that are single terms, with
//! one method each in `Heap` and `View`.

use std::fmt;

use crate::term::types::{
    Atom, Binary, Bitstring, Char, EmptyMap, ErlangString, Float, Fun, Identifier, Integer, Iodata,
    Iolist, Never, Nil, NonemptyString, Number, Pid, Port, Reference, Timeout, Tuple,
};
use crate::term::{DecodeError, ErlangType, FromTerm, Heap, Saved, Shape, Term, ToTerm, View};

macro_rules! erlang_types {
    ($($type:ty = $text:literal,)*) => {$(
        impl ErlangType for $type {
            fn erlang_type() -> String {
                $text.to_owned()
            }
        }
    )*};
}

erlang_types! {
    Tuple = "tuple()",
    Atom = "atom()",
    Binary = "binary()",
    Bitstring = "bitstring()",
    bool = "boolean()",
    Char = "char()",
    char = "char()",
    Nil = "[]",
    EmptyMap = "#{}",
    Float = "float()",
    Fun = "fun()",
    Identifier = "identifier()",
    Integer = "integer()",
    Iodata = "iodata()",
    Iolist = "iolist()",
    Never = "none()",
    NonemptyString = "nonempty_string()",
    Number = "number()",
    Pid = "pid()",
    Port = "port()",
    Reference = "reference()",
    Term = "term()",
    Saved = "term()",
    str = "binary()",
    ErlangString = "string()",
    Timeout = "timeout()",
}

macro_rules! single_terms {
    ($($type:ident: $kind:expr, $write:ident, $read:ident;)*) => {$(
        impl fmt::Debug for $type {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, formatter)
            }
        }

        #[diagnostic::do_not_recommend]
        impl ToTerm for $type {
            fn to_term<H: Heap>(&self, heap: H) -> H::Term {
                heap.$write(self)
            }
        }

        #[diagnostic::do_not_recommend]
        impl FromTerm for $type {
            const KIND: Shape = $kind;

            fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
                view.$read()
                    .ok_or_else(|| DecodeError::expected::<Self, V>(view))
            }
        }
    )*};
}

single_terms! {
    Atom: Shape::Atoms, dynamic_atom, atom;
    Fun: Shape::Funs, fun, fun;
    Integer: Shape::Integers(None, None), big_integer, big_integer;
    Pid: Shape::Pids, pid, pid;
    Port: Shape::Ports, port, port;
    Reference: Shape::References, reference, reference;
}
