//! Maps whose other keys are kept or rejected.

use otp_bridge::term::{ErlangType, Map};
use otp_bridge::{Atom, Term, atom};

use crate::generate::{atom as key, integer, map};

#[derive(Debug, Clone, PartialEq, otp_bridge::Term)]
struct Event {
    level: Atom,
    #[term(optional)]
    line: Option<u32>,
    #[term(rest)]
    others: Map<Atom, Term>,
}

#[derive(Debug, PartialEq, otp_bridge::Term)]
#[term(exact)]
struct Flags {
    #[term(optional)]
    intensity: Option<u8>,
    #[term(optional)]
    period: Option<u8>,
}

#[derive(Debug, PartialEq, otp_bridge::Term)]
struct Generic<K, V> {
    #[term(rest)]
    all: Map<K, V>,
}

fn error<T: otp_bridge::FromTerm + std::fmt::Debug>(term: &Term) -> String {
    let error = term.decode::<T>().expect_err("a map of another type");
    error.to_string()
}

#[test]
fn other_keys_are_kept() {
    let term = map([
        (key("level"), key("debug")),
        (key("line"), integer(7)),
        (key("mine"), integer(1)),
    ]);
    let event: Event = term.decode().expect("an event");
    assert_eq!(event.line, Some(7));
    assert_eq!(event.others.get(&atom!("mine")), Some(&integer(1)));
    assert_eq!(Term::of(&event), term);
    assert_eq!(
        Event::erlang_type(),
        "#{level := atom(), line => 0..4294967295, atom() => term()}"
    );
}

#[test]
fn a_field_counts_before_another_entry_of_its_key() {
    let mut others = Map::new();
    others.insert(atom!("level"), key("other"));
    let event = Event {
        level: atom!("debug"),
        line: None,
        others,
    };
    assert_eq!(Term::of(&event).to_string(), "#{level => debug}");
}

#[test]
fn what_is_wrong_with_other_keys() {
    let event = |name: Term| map([(key("level"), key("debug")), (name, integer(1))]);
    assert_eq!(
        error::<Event>(&event(integer(5))),
        "5: expected atom(), got 5"
    );
    assert_eq!(
        error::<Generic<Atom, bool>>(&event(key("odd"))).as_str(),
        "level: expected boolean(), got debug"
    );
    assert!(event(key("odd")).decode::<Generic<Atom, Term>>().is_ok());
}

#[test]
fn an_exact_map_has_no_other_keys() {
    let flags = |name: &str| map([(key("period"), integer(5)), (key(name), integer(1))]);
    assert!(flags("intensity").decode::<Flags>().is_ok());
    assert!(map([]).decode::<Flags>().is_ok());
    assert_eq!(
        error::<Flags>(&flags("intensty")),
        "intensty: expected no such key (known: intensity, period), got 1"
    );
    assert_eq!(
        error::<Flags>(&map([(integer(1), integer(2))])),
        "1: expected no such key (known: intensity, period), got 2"
    );
}
