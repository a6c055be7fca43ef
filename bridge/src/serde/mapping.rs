//! The choices of the mapping.

use crate::term::StaticAtom;

/// The choices in how serde values become terms. A type without values represents them:
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::serde::{Mapping, Nothing, Structs, to_term_as};
///
/// /// Records, and `nil` for `None`.
/// enum Mine {}
///
/// impl Mapping for Mine {
///     const NOTHING: Nothing = Nothing::Nil;
///     const STRUCTS: Structs = Structs::Records;
/// }
///
/// assert_eq!(to_term_as::<Mine, _>(&None::<u8>)?.to_string(), "nil");
/// # Ok::<(), otp_bridge::term::DecodeError>(())
/// ```
pub trait Mapping: 'static {
    /// The atom for `None`.
    const NOTHING: Nothing = Nothing::Undefined;
    /// The form of a struct.
    const STRUCTS: Structs = Structs::Maps;
}

/// The atom for `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nothing {
    /// `undefined`, as in Erlang
    Undefined,
    /// `nil`, as in Elixir and in rustler
    Nil,
    /// `null`, as in JSON, and in OTP's `json`
    Null,
}

/// The form of a struct.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Structs {
    /// A map, whose keys are atoms: `#{name => <<"Ada">>}`
    Maps,
    /// A record: `{'User', <<"Ada">>}`. Its fields are in the order of the type, and no field is
    /// skipped.
    Records,
}

/// Maps, and `undefined` for `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Erlang {}

/// Maps, and `nil` for `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Elixir {}

/// Maps, and `null` for `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Null {}

/// Records, and `undefined` for `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Records {}

impl Mapping for Erlang {}

impl Mapping for Elixir {
    const NOTHING: Nothing = Nothing::Nil;
}

impl Mapping for Null {
    const NOTHING: Nothing = Nothing::Null;
}

impl Mapping for Records {
    const STRUCTS: Structs = Structs::Records;
}

impl Nothing {
    pub(super) fn atom(self) -> &'static StaticAtom {
        static UNDEFINED: StaticAtom = StaticAtom::new("undefined");
        static NIL: StaticAtom = StaticAtom::new("nil");
        static NULL: StaticAtom = StaticAtom::new("null");
        match self {
            Nothing::Undefined => &UNDEFINED,
            Nothing::Nil => &NIL,
            Nothing::Null => &NULL,
        }
    }
}
