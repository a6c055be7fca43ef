//! Values and terms that are refused, with the position.

use std::collections::BTreeMap;

use otp_bridge::serde::{Records, from_term, from_term_as, to_term, to_term_as};
use otp_bridge::term::DecodeError;
use otp_bridge::{Atom, Term};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Server {
    ports: Vec<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<Mode>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Mode {
    Undefined,
    Active(u8),
    Limited { by: u8 },
}

#[track_caller]
fn refuses<T: Serialize>(term: &T, error: &str) {
    let term = to_term(term).expect("it has a term");
    let refused = from_term::<BTreeMap<String, Server>>(&term);
    assert_eq!(
        refused.map_err(|error| error.to_string()),
        Err(error.to_owned())
    );
}

fn server(ports: impl Serialize, mode: impl Serialize) -> BTreeMap<&'static str, Term> {
    let entry = |key: &str, value: Result<Term, DecodeError>| {
        let key = Term::Atom(Atom::new(key).expect("short"));
        (key, value.expect("it has a term"))
    };
    let entries = [
        entry("ports", to_term(&ports)),
        entry("mode", to_term(&mode)),
    ];
    BTreeMap::from([("one", Term::Map(entries.into_iter().collect()))])
}

#[test]
fn a_wrong_term_is_refused_where_it_is() {
    let read = |servers: &BTreeMap<&str, Term>| {
        let entries = servers
            .iter()
            .map(|(name, term)| (Term::of(*name), term.clone()));
        let term = Term::Map(entries.collect());
        let refused = from_term::<BTreeMap<String, Server>>(&term);
        refused.expect_err("it is not such a map").to_string()
    };
    let active = Mode::Active(1);
    assert_eq!(
        read(&server((80, -1), &active)),
        "<<\"one\">>.ports: expected a list(), got {80,-1}"
    );
    assert_eq!(
        read(&server([80, -1].as_slice(), &active)),
        "<<\"one\">>.ports[1]: expected u16, got -1"
    );
    assert_eq!(
        read(&server([80].as_slice(), ("active", 256))),
        "<<\"one\">>.mode.1: expected u8, got 256"
    );
    assert_eq!(
        read(&server([80].as_slice(), "passive")),
        "<<\"one\">>.mode: expected undefined | active | limited, got <<\"passive\">>"
    );
    assert_eq!(
        read(&server([80].as_slice(), ("limited", 1))),
        "<<\"one\">>.mode.1: expected a map(), got 1"
    );
}

#[test]
fn a_missing_key_is_named() {
    refuses(
        &BTreeMap::from([("one", BTreeMap::from([("port", 1)]))]),
        "<<\"one\">>.ports: expected a value, got no such key",
    );
}

/// A value is not written if its term would be read as another value.
#[test]
fn what_would_not_come_back_is_not_written() {
    let refused =
        |refused: Result<Term, DecodeError>| refused.expect_err("it has no term").to_string();
    assert_eq!(
        refused(to_term(
            &vec![Some(1), None]
                .into_iter()
                .map(Some)
                .collect::<Vec<_>>()
        )),
        "[1]: expected a value other than undefined, which is `None`, got `Some` of it"
    );
    assert_eq!(
        refused(to_term(&Server {
            ports: vec![],
            mode: Some(Mode::Undefined)
        })),
        "mode: expected a value other than undefined, which is `None`, got `Some` of it"
    );
    assert_eq!(
        refused(to_term(&BTreeMap::from([((1, 2), f32::INFINITY)]))),
        "{1,2}: expected a finite float, got inf"
    );
    assert_eq!(
        refused(to_term_as::<Records, _>(&Server {
            ports: vec![],
            mode: None
        })),
        "expected a value that can be written, got a record has all its fields, and `mode` is skipped"
    );
}

#[test]
fn a_record_of_another_name_or_size_is_refused() {
    let two = Term::of(&(Atom::new("Server").expect("short"), 1));
    assert_eq!(
        from_term_as::<Records, Server>(&two)
            .expect_err("it has one field")
            .to_string(),
        "expected a record 'Server' of 2 fields, got {'Server',1}"
    );
}

/// A type that contains itself is read as deep as any other term, and no deeper.
#[test]
fn deep_terms_are_refused_and_do_no_harm() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Nested(Vec<Nested>);

    otp_bridge::term::on_large_stack(|| {
        let mut term = Term::nil();
        for _ in 0..100_000 {
            term = Term::List([term].into());
        }
        let error = from_term::<Nested>(&term).expect_err("it is too deep");
        assert!(error.to_string().contains("16384 levels"), "{error}");
    });
}
