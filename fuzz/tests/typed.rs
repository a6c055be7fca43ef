//! Tests of the types that targets read.

use otp_bridge::Term;
use otp_bridge::term::{Map, etf};
use otp_fuzz::typed::{BINDINGS, DERIVED, KINDS, Types};

/// Returns `{Number, Term}` for a type of the bindings, by its name.
fn input(name: &str, term: &Term) -> Vec<u8> {
    let number = BINDINGS.iter().position(|typed| typed.name == name);
    etf::encode(&Term::of(&(number.expect("it is one") as u64, term)))
}

#[test]
fn types_of_bindings_may_ignore_keys_and_no_others() {
    let map = |key: &str| {
        let atom = |text| Term::of(&otp_bridge::Atom::new(text).expect("an atom"));
        let with = |key, value| (atom(key), value);
        let config = Map::from_iter([with("level", atom("all")), with(key, Term::of(&1))]);
        Term::of(&(atom("handler"), atom("a"), atom("b"), Term::of(&config)))
    };
    let (name, types) = ("logger::ConfigHandler", Types::of_bindings());
    assert!(types.read(&input(name, &map("of_a_later_release"))));
    // This key is known, and its value has another type.
    assert!(!types.read(&input(name, &map("module"))));
    let exact = Types::new(&[BINDINGS]);
    let refused = std::panic::catch_unwind(|| exact.read(&input(name, &map("other"))));
    assert!(refused.is_err());
}

#[test]
fn the_types_accept_their_samples() {
    for (types, count) in [
        (Types::new(&[KINDS]), KINDS.len()),
        (Types::of_bindings(), BINDINGS.len()),
    ] {
        let seeds = types.seeds(3);
        assert!(seeds.len() > 2 * count, "{}", seeds.len());
        assert!(seeds.iter().all(|seed| types.read(seed)));
    }
    let types = Types::new(&[DERIVED]);
    let seeds = types.seeds(100);
    let read = seeds.iter().filter(|seed| types.read(seed)).count();
    assert!(read > 400, "{read} of {}", seeds.len());
}
