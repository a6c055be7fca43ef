//! Rust types that targets decode terms as, each with its Erlang type.
//!
//! The oracle and the samples are those of the project's tests. The oracle decides from the Erlang
//! type alone which terms are allowed, and a target compares that with the terms that the Rust type
//! reads.

use std::fmt::Debug;

use otp_bridge::term::erlang_definitions;
use otp_bridge::term::etf;
use otp_bridge::{FromTerm, Term, ToTerm};
use otp_specs::types::{Module, Type};
use otp_specs::{NoIncludes, Options, Trusting, parse_source, resolve};

use crate::derived;
use crate::oracle::Oracle;
use crate::sample::{Random, sample};

/// A Rust type with a function that reads a term as this type.
#[derive(Clone, Copy)]
pub struct Typed {
    /// The path of the type.
    pub name: &'static str,
    /// Reads the term, writes it again, and compares the two. Returns whether the term is of the
    /// type, or `None` if it is nested too deeply.
    pub accepts: fn(&Term) -> Option<bool>,
    definitions: fn() -> String,
    /// True if the type accepts all terms of its Erlang type. A `String` does not accept every
    /// `binary()`.
    is_exact: bool,
}

impl Typed {
    /// A type.
    #[must_use]
    pub const fn of<T: FromTerm + ToTerm + Debug>(name: &'static str) -> Self {
        Typed {
            name,
            accepts: accepts::<T>,
            definitions: || erlang_definitions::<T>().to_string(),
            is_exact: true,
        }
    }

    /// A type that does not accept all terms of its Erlang type.
    #[must_use]
    pub const fn narrow<T: FromTerm + ToTerm + Debug>(name: &'static str) -> Self {
        Typed {
            is_exact: false,
            ..Typed::of::<T>(name)
        }
    }

    /// Returns the type and the types that it uses as an Erlang module. The type itself is the
    /// first one.
    #[must_use]
    pub fn module(&self) -> Module {
        let text = format!("-module(m).\n{}", (self.definitions)());
        let parsed = parse_source("m.erl", text.as_bytes(), &NoIncludes, &Options::default());
        assert!(
            parsed.diagnostics.is_empty(),
            "{}: {text}\n{:?}",
            self.name,
            parsed.diagnostics
        );
        resolve(&parsed.module, &mut Trusting).0
    }
}

/// Returns whether the term is of the type. Checks that the value is written as a term of the type,
/// and that this term is read as an equal value.
fn accepts<T: FromTerm + ToTerm + Debug>(term: &Term) -> Option<bool> {
    let value = match term.decode::<T>() {
        Ok(value) => value,
        Err(error) => return (!error.to_string().contains("too many levels")).then_some(false),
    };
    let written = Term::of(&value);
    match written.decode::<T>() {
        Ok(again) => {
            assert_eq!(Term::of(&again), written, "{term} was read as {value:?}");
            Some(true)
        }
        Err(error) => {
            panic!("{term} was read as {value:?}, which is written as {written}: {error}")
        }
    }
}

/// Types with numbers: the input of a target is the term `{Number, Term}`.
pub struct Types {
    types: Vec<Typed>,
    /// The Erlang types.
    modules: Vec<Module>,
    /// True if the types may ignore keys of maps that their Erlang types do not have.
    may_ignore_keys: bool,
}

impl Types {
    /// Creates the set of these types.
    #[must_use]
    pub fn new(types: &[&[Typed]]) -> Self {
        let types = types.concat();
        let modules = types.iter().map(Typed::module).collect();
        Types {
            types,
            modules,
            may_ignore_keys: false,
        }
    }

    /// Creates the set of the types of OTP's bindings. They ignore keys that a later release adds
    /// to a map, unless the keys distinguish the map from another one.
    #[must_use]
    pub fn of_bindings() -> Self {
        Types {
            may_ignore_keys: true,
            ..Types::new(&[BINDINGS])
        }
    }

    /// Reads an input. The Rust type must accept exactly the terms that the Erlang type accepts.
    /// Returns whether both accept this term.
    pub fn read(&self, bytes: &[u8]) -> bool {
        let Ok(Term::Tuple(parts)) = etf::decode(bytes) else {
            return false;
        };
        let [Term::Integer(number), term] = parts.as_slice() else {
            return false;
        };
        let number = usize::try_from(number.unsigned_abs()).unwrap_or(0) % self.types.len();
        let (typed, module) = (self.types[number], &self.modules[number]);
        let Some(accepted) = (typed.accepts)(term) else {
            return false;
        };
        let oracle = Oracle::new(std::slice::from_ref(module));
        let expected = oracle.accepts(body(module), term);
        let is_ignored =
            || self.may_ignore_keys && oracle.ignoring_keys().accepts(body(module), term);
        assert!(
            accepted == expected || !accepted && !typed.is_exact || accepted && is_ignored(),
            "read: {accepted}, of the type: {expected}: `{}`, which is `{}`, and {term}",
            typed.name,
            module.types[0].erlang
        );
        accepted
    }

    /// Returns terms of each type, as inputs.
    #[must_use]
    pub fn seeds(&self, of_each: u64) -> Vec<Vec<u8>> {
        let numbered = (0_u32..).zip(&self.modules);
        let inputs = numbered.flat_map(|(number, module)| {
            let terms = terms_of(module, of_each);
            terms.map(move |term| etf::encode(&Term::of(&(number, term))))
        });
        inputs.collect()
    }
}

/// Returns terms of the module's first type.
pub(crate) fn terms_of(module: &Module, count: u64) -> impl Iterator<Item = Term> + use<> {
    let oracle = Oracle::new(std::slice::from_ref(module));
    let one = |seed| sample(&oracle, body(module), &mut Random::new(seed), DEEPEST);
    let terms: Vec<Term> = (1..=count).filter_map(one).collect();
    terms.into_iter()
}

/// The depth of samples.
const DEEPEST: usize = 9;

/// Returns the first type of the module.
fn body(module: &Module) -> &Type {
    &module.types[0].body
}

/// Types of every kind, from the generator's tests.
pub const KINDS: &[Typed] = include!(concat!(env!("OUT_DIR"), "/kinds.rs"));

/// Types as users write them.
pub const DERIVED: &[Typed] = &[
    Typed::narrow::<derived::HttpGet>("HttpGet"),
    Typed::narrow::<derived::Point>("Point"),
    Typed::of::<derived::Exact>("Exact"),
    Typed::narrow::<derived::Open>("Open"),
    Typed::narrow::<derived::Address>("Address"),
    Typed::narrow::<derived::Pair>("Pair"),
    Typed::of::<derived::Wrapper<derived::Exact>>("Wrapper"),
    Typed::of::<derived::Returned<u8, bool>>("Returned"),
    Typed::of::<derived::Way>("Way"),
    Typed::narrow::<derived::Value>("Value"),
    Typed::narrow::<derived::Shell>("Shell"),
];

/// Types of OTP's modules in `otp-bindings`.
pub const BINDINGS: &[Typed] = include!(concat!(env!("OUT_DIR"), "/bindings.rs"));

/// Returns the bytes of a term of each kind.
#[must_use]
pub fn of_every_kind() -> Vec<Vec<u8>> {
    Types::new(&[KINDS, DERIVED]).seeds(3)
}
