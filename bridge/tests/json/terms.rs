//! The representation of the dynamic term.

use otp_bridge::Term;
use otp_bridge::json::Json;
use serde_json::Value;

use crate::generate::{self, Random};
use crate::support::{there_and_back, validator};

#[test]
fn every_kind_of_term_goes_there_and_back() {
    let validator = validator::<Term>();
    for term in generate::edges().into_iter().chain(generate::identifiers()) {
        there_and_back(&validator, term);
    }
}

#[test]
fn random_terms_go_there_and_back() {
    let validator = validator::<Term>();
    let mut random = Random::new(4);
    for _ in 0..3000 {
        there_and_back(&validator, generate::term(&mut random, 4, true));
    }
}

/// `fun(X) -> {X, self()} end` of Erlang's shell, with the values that it captured.
#[test]
fn a_local_fun_goes_there_and_back() {
    let text = concat!(
        r#"{"@fun":"g3AAAADQAQZTYapGFZDRvfHrYtGm6wgAAAAqAAAAAWQACGVybF9ldmFsYSpiADKbDVhkAA1ub25v"#,
        "ZGVAbm9ob3N0AAAACQAAAAAAAAAAaAZhAWpkAARub25lZAAEbm9uZXQAAAAAbAAAAAFoBWQABmNsYXVzZWEBbAAA",
        "AAFoA2QAA3ZhcmEBZAABWGpqbAAAAAFoA2QABXR1cGxlYQFsAAAAAmgDZAADdmFyYQFkAAFYaARkAARjYWxsYQFo",
        r#"A2QABGF0b21hAWQABHNlbGZqampq"}"#
    );
    let Json(term) = serde_json::from_str::<Json<Term>>(text).expect("a term");
    assert!(matches!(term, Term::Fun(_)), "{term}");
    there_and_back(&validator::<Term>(), term);
}

#[test]
fn keys_that_would_look_like_marks_are_told_apart() {
    let validator = validator::<Term>();
    for key in ["$", "$add", "@", "@text", "@@text", "@$", "", "a"] {
        let map = generate::map([(generate::atom(key), generate::list([]))]);
        there_and_back(&validator, map);
        let tuple = generate::tuple([generate::atom(key), generate::list([])]);
        there_and_back(&validator, tuple);
    }
}

#[test]
fn what_is_no_view_of_a_term_is_refused_by_code_and_schema() {
    let validator = validator::<Term>();
    for text in [
        r#"{"$add": 5}"#,
        r#"{"@nothing": 5}"#,
        r#"{"@text": 5}"#,
        r#"{"@bits": "012"}"#,
        r#"{"@integer": "1x"}"#,
        r#"{"@integer": ""}"#,
        r#"{"@integer": "0x1"}"#,
        r#"{"@map": [[1]]}"#,
        r#"{"@map": {}}"#,
        r#"{"@improper": []}"#,
        r#"{"@improper": [{"$error": ["timeout"]}]}"#,
        r#"{"@pid": "1.2@host"}"#,
        r#"{"@reference": "1,2,3,4,5,6.7.a@host"}"#,
        r#"{"@fun": ["lists", "map"]}"#,
        r#"{"a": 1, "$b": 2}"#,
    ] {
        let json: Value = serde_json::from_str(text).expect("JSON");
        assert!(!validator.is_valid(&json), "{text} is of the schema");
        let read = serde_json::from_str::<Json<Term>>(text);
        assert!(read.is_err(), "{text} is {:?}", read.map(|Json(term)| term));
    }
}

/// Base64, atoms' lengths and arrays that are nested deeper than the limit of terms cannot be
/// described by a schema.
#[test]
fn what_no_schema_can_say_is_refused_by_code() {
    let deep = "[".repeat(300) + &"]".repeat(300);
    for text in [
        r#"{"@base64": "?"}"#,
        r#"{"@fun": "AAAA"}"#,
        r#"{"@pid": "99999999999.0.0.a@host"}"#,
        deep.as_str(),
    ] {
        assert!(serde_json::from_str::<Json<Term>>(text).is_err(), "{text}");
    }
}

#[test]
fn an_error_has_the_path() {
    let error = serde_json::from_str::<Json<Term>>(r#"{"a": [1, {"@nothing": 5}]}"#);
    assert_eq!(
        error.expect_err("no term").to_string(),
        r#"a[1]: expected term(), got {"@nothing":5}"#
    );
}
