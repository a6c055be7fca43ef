//! The program of `cargo xtask linear`: it compiles the types of whole applications together with
//! this file.

use otp_bridge::term::etf;
use otp_bridge::term::Definitions;
use otp_bridge::{FromTerm, Term};
use otp_specs::types::Module;
use otp_specs::{NoIncludes, Options, Trusting, parse_source, resolve};

use crate::counting;
use crate::growth::{self, size};
use crate::oracle::Oracle;
use crate::sample::{Random, sample};

/// A Rust type that was generated from an Erlang type.
pub(crate) struct Typed {
    name: &'static str,
    erlang: fn() -> String,
    read: fn(&Term) -> (bool, u64),
}

impl Typed {
    pub(crate) const fn of<T: FromTerm>(name: &'static str) -> Self {
        Typed {
            name,
            erlang: erlang::<T>,
            read: |term| {
                let (read, steps) = counting::read::<T>(term);
                (read.is_ok(), steps)
            },
        }
    }
}

/// Returns the type as `whole()`, with all types in it.
fn erlang<T: FromTerm>() -> String {
    let mut definitions = Definitions::new();
    definitions.reserve("whole");
    let text = definitions.text::<T>();
    format!("-module(m).\n-type whole() :: {text}.\n{definitions}")
}

/// Returns the type as an Erlang module, or `None` if it refers to another module, which is unknown
/// here: `gen_server:from()` of a caller.
fn module(typed: &Typed) -> Option<Module> {
    let text = (typed.erlang)();
    if text.replace("::", "").replace(":=", "").contains(':') {
        return None;
    }
    let parsed = parse_source("m.erl", text.as_bytes(), &NoIncludes, &Options::default());
    let found = &parsed.diagnostics;
    assert!(found.is_empty(), "{}: {text}\n{found:?}", typed.name);
    Some(resolve(&parsed.module, &mut Trusting).0)
}

/// Number of seeds: terms of a type start with each of them.
const SEEDS: u64 = 3;

/// A term with more parts than this is not grown.
const LARGE: u64 = 40;

/// Returns terms of a type: for each seed, one that is as deep as possible without getting large.
fn samples(module: &Module) -> Vec<Term> {
    let oracle = Oracle::new(std::slice::from_ref(module));
    let whole = module.types.iter().find(|found| found.name == "whole");
    let body = &whole.expect("the type").body;
    let of_seed = |seed| {
        let of_depth = |depth| sample(&oracle, body, &mut Random::new(seed), depth);
        let terms = (2..14).filter_map(of_depth);
        terms.take_while(|term| size(term) <= LARGE).last()
    };
    let mut terms: Vec<Term> = (1..=SEEDS).filter_map(of_seed).collect();
    terms.sort();
    terms.dedup();
    terms
}

/// Decodes growing terms of all types, and prints the number of terms.
///
/// # Panics
/// If the number of steps grows faster than a term.
pub(crate) fn check(types: &[Typed]) {
    let (mut terms, mut growing, mut unknown, mut wrong) = (0, 0, 0, Vec::new());
    for typed in types {
        let Some(module) = module(typed) else {
            unknown += 1;
            continue;
        };
        let mut random = Random::new(1);
        let before = terms;
        for term in samples(&module) {
            match growth::check(&term, &typed.read, &mut random) {
                Ok(count) => terms += count,
                Err(error) => wrong.push(format!("{}: {error}", typed.name)),
            }
        }
        growing += usize::from(terms > before);
    }
    println!(
        "{} types, of which {growing} have terms that grow, and {unknown} are not read: {terms} terms",
        types.len()
    );
    assert!(wrong.is_empty(), "{} terms:\n{}", wrong.len(), wrong.join("\n"));
    assert!(growing > types.len() / 4, "few types grow");
}

/// Decodes the terms of a list as a type, and prints the number of steps.
///
/// # Panics
/// If a term takes more steps for each of its parts than [`MOST_STEPS`], or if most terms are not
/// of the type. Some need not be: OTP's types of syntax trees leave out `andalso`.
pub(crate) fn read_all<T: FromTerm>(of: &str, bytes: &[u8]) {
    let Ok(Term::List(terms)) = etf::decode(bytes) else {
        panic!("{of} is not a list");
    };
    let (mut parts, mut total, mut accepted) = (0, 0, 0);
    for term in terms.iter() {
        let (read, steps) = counting::read::<T>(term);
        let size = size(term);
        assert!(
            steps <= MOST_STEPS * size,
            "{of}: {steps} steps for {size} parts"
        );
        accepted += usize::from(read.is_ok());
        (parts, total) = (parts + size, total + steps);
    }
    println!(
        "{of}: {accepted} of {} terms are read, {parts} parts: {total} steps",
        terms.len()
    );
    assert!(accepted * 2 > terms.len(), "{of}: few are of the type");
}

/// More than any part of a syntax tree takes.
const MOST_STEPS: u64 = 1000;
