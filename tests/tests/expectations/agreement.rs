//! Checks that the generated types accept exactly the terms of the Erlang types.

use std::sync::Arc;

use otp_bridge::{Atom, Term};
use otp_specs::types::{Module, Type, TypeDef, TypeName};

use crate::modules;
use crate::oracle::{Oracle, holds_iodata};
use crate::sample::{Random, changed, sample};
use crate::trips::Trip;

/// Number of terms of each type, and of their changed copies.
const TERMS: u64 = 400;
/// Maximum nesting of these terms.
const DEPTH: usize = 9;

/// Returns the types in [`Trip`].
pub(crate) fn types(modules: &[Module]) -> impl Iterator<Item = (&Module, &TypeDef)> {
    modules.iter().flat_map(|module| {
        let types = module.types.iter().filter(|found| found.params.is_empty());
        types.map(move |definition| (module, definition))
    })
}

/// Returns the type by its name.
fn named(module: &Module, definition: &TypeDef) -> Type {
    let name = TypeName {
        module: module.name.clone(),
        name: definition.name.clone(),
        arity: 0,
    };
    Type::Named(Arc::new(name), Vec::new())
}

/// `{'module:type', Term}`
pub(crate) fn trip(module: &Module, definition: &TypeDef, term: Term) -> Term {
    let tag = format!("{}:{}", module.name, definition.name);
    let tag = Atom::new(&tag).expect("a short name");
    Term::Tuple([Term::Atom(tag), term].into())
}

/// Returns terms of the type, each with a changed copy.
pub(crate) fn samples(oracle: &Oracle<'_>, ty: &Type) -> Vec<(Term, Term)> {
    let one = |seed| {
        let mut random = Random::new(seed);
        let term = sample(oracle, ty, &mut random, DEPTH)?;
        let near = changed(&term, &mut random);
        Some((term, near))
    };
    (1..=TERMS).filter_map(one).collect()
}

#[test]
fn every_term_of_a_type_is_read_and_written_as_it_was() {
    let modules = modules();
    let oracle = Oracle::new(&modules);
    for (module, definition) in types(&modules) {
        let samples = samples(&oracle, &definition.body);
        let exact = !holds_iodata(&oracle, &definition.body, &mut Vec::new());
        let few = !matches!(definition.name.as_str(), "nothing" | "no_bits");
        assert!(samples.len() > 100 || !few, "{}", definition.erlang);
        for (term, _) in samples {
            assert!(
                oracle.accepts(&named(module, definition), &term),
                "the oracle: {} {term}",
                definition.erlang
            );
            let whole = trip(module, definition, term);
            match whole.decode::<Trip>() {
                Ok(read) if exact => {
                    assert_eq!(Term::of(&read), whole, "{} {read:?}", definition.erlang);
                }
                // The encoded term may differ, but must also be of the type.
                Ok(read) => assert_eq!(Term::of(&read).decode::<Trip>().as_ref(), Ok(&read)),
                Err(error) => panic!("{}: {whole}: {error}", definition.erlang),
            }
        }
    }
}

#[test]
fn a_changed_term_is_read_exactly_if_it_is_of_the_type() {
    let modules = modules();
    let oracle = Oracle::new(&modules);
    let (mut accepted, mut refused) = (0, 0);
    for (module, definition) in types(&modules) {
        let exact = !holds_iodata(&oracle, &definition.body, &mut Vec::new());
        for (_, near) in samples(&oracle, &definition.body) {
            let expected = oracle.accepts(&named(module, definition), &near);
            let whole = trip(module, definition, near);
            let read = whole.decode::<Trip>();
            let erlang = &definition.erlang;
            match &read {
                Ok(value) => {
                    assert!(
                        expected,
                        "{erlang} does not have {whole}, read as {value:?}"
                    );
                    assert!(!exact || Term::of(value) == whole, "{erlang}: {whole}");
                    accepted += 1;
                }
                Err(error) => {
                    assert!(!expected, "{erlang} has {whole}: {error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(accepted > 1000 && refused > 1000, "{accepted} {refused}");
}

/// The condition that the fuzzing of bindings checks.
#[test]
fn other_keys_of_a_map_are_ignored_only_where_that_is_said() {
    let source = b"-module(m).\n-type point() :: #{x := integer(), y => atom()}.\n";
    let options = otp_specs::Options::default();
    let parsed = otp_specs::parse_source("m.erl", source, &otp_specs::NoIncludes, &options);
    let (module, _) = otp_specs::resolve(&parsed.module, &mut otp_specs::Trusting);
    let point = &module.types[0].body;
    let oracle = || Oracle::new(std::slice::from_ref(&module));
    let accepted = |map: &[(&str, u8)]| {
        let atom = |name: &str| Term::Atom(Atom::new(name).expect("a short name"));
        let entry = |(key, value): &(&str, u8)| (atom(key), Term::of(value));
        let term = Term::Map(map.iter().map(entry).collect());
        let ignoring = oracle().ignoring_keys();
        (
            oracle().accepts(point, &term),
            ignoring.accepts(point, &term),
        )
    };
    assert_eq!(accepted(&[("x", 1)]), (true, true));
    assert_eq!(accepted(&[("x", 1), ("z", 2)]), (false, true));
    assert_eq!(accepted(&[("x", 1), ("y", 2)]), (false, false));
    assert_eq!(accepted(&[("z", 2)]), (false, false));
}
