//! `Display` and `Debug` in Erlang's syntax, of the types whose values are single terms.

use std::fmt;

use crate::Term;
use crate::term::types::{
    Binary, Bitstring, EmptyMap, ErlangString, Iodata, Iolist, Nil, NonemptyString, Timeout, Tuple,
};

macro_rules! shown {
    ($($shown:ident)*) => {$(
        impl fmt::Display for $shown {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&Term::of(self), formatter)
            }
        }

        impl fmt::Debug for $shown {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, formatter)
            }
        }
    )*};
}

shown! { Binary Bitstring EmptyMap ErlangString Iodata Iolist Nil NonemptyString Timeout Tuple }
