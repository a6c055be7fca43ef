//! The text of each form: the examples of `docs/json.md`.

use std::collections::BTreeMap;

use otp_bridge::json::Json;
use otp_bridge::term::{Binary, ErlangString, Map, PidParts};
use otp_bridge::{Atom, Pid, Term, Timeout, atoms};
use serde_json::json;

use crate::support::{schema, text};

#[derive(Debug, PartialEq, Clone, Term)]
enum Request {
    Get,
    Add(u64),
    #[term(tag = "add")]
    AddTo(String, u64),
    #[term(tuple)]
    Pair(u8, bool),
    #[term(untagged)]
    Name(String),
    #[term(untagged)]
    Account(Account),
    Undefined,
    True,
}

#[derive(Debug, PartialEq, Clone, Term)]
struct Account {
    owner: String,
    #[term(optional)]
    limit: Option<u64>,
    manager: Option<Atom>,
    #[term(key = "$odd")]
    odd: bool,
}

#[derive(Debug, PartialEq, Clone, Term)]
#[term(record)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Debug, PartialEq, Clone, Term)]
#[term(transparent)]
struct Meters(u64);

fn account() -> Account {
    Account {
        owner: "Ada".to_owned(),
        limit: None,
        manager: None,
        odd: true,
    }
}

#[test]
fn derived_types() {
    for (request, expected) in [
        (Request::Get, json!("get")),
        (Request::Add(5), json!({ "$add": [5] })),
        (
            Request::AddTo("Ada".to_owned(), 5),
            json!({ "$add": ["Ada", 5] }),
        ),
        (Request::Pair(1, true), json!({ "$": [1, true] })),
        (Request::Name("get".to_owned()), json!({ "@text": "get" })),
        (
            Request::Account(account()),
            json!({ "owner": "Ada", "manager": null, "@$odd": true }),
        ),
        (Request::Undefined, json!(null)),
        (Request::True, json!(true)),
    ] {
        assert_eq!(serde_json::to_value(&request).expect("JSON"), expected);
        let back: Request = serde_json::from_value(expected).expect("a request");
        assert_eq!(back, request);
    }
    assert_eq!(text(Point { x: 1.0, y: -0.5 }), r#"{"$point":[1.0,-0.5]}"#);
    assert_eq!(text(Meters(7)), "7");
}

#[test]
fn types_of_the_crate() {
    let pid = Pid::from_parts(PidParts {
        node: atoms::ok.into(),
        id: 85,
        serial: 0,
        creation: 7,
    });
    let by_text = BTreeMap::from([("a".to_owned(), 1_u8)]);
    let by_atom: Map<Atom, u8> = [(Atom::from(atoms::ok), 1)].into_iter().collect();
    let by_number: Map<u8, u8> = [(1, 2)].into_iter().collect();
    for (found, expected) in [
        (text("Ada".to_owned()), r#""Ada""#),
        (text(Binary::from("Ada")), r#"{"@text":"Ada"}"#),
        (text(Binary::from(vec![0xFF])), r#"{"@base64":"/w=="}"#),
        (text(ErlangString::from("Ada")), r#"{"@string":"Ada"}"#),
        (text((1_u8, false)), r#"{"$":[1,false]}"#),
        (text((atoms::ok, 1_u8)), r#"{"$ok":[1]}"#),
        (text(()), r#"{"$":[]}"#),
        (text(u64::MAX), r#"{"@integer":"18446744073709551615"}"#),
        (text((1_u64 << 53) - 1), "9007199254740991"),
        (text(1.0), "1.0"),
        (text(Timeout::Infinity), r#""infinity""#),
        (text(None::<Atom>), "null"),
        (text(by_text), r#"{"a":1}"#),
        (text(by_atom), r#"{"ok":1}"#),
        (text(by_number), r#"{"@map":[[1,2]]}"#),
        (text(pid), r#"{"@pid":"85.0.7.ok"}"#),
    ] {
        assert_eq!(found, expected);
    }
}

#[test]
fn other_spellings_are_read_too() {
    let float = serde_json::from_str::<Json<f64>>("1").expect("a float");
    assert_eq!(float, Json(1.0));
    let integer = serde_json::from_str::<Json<u8>>("1.0").expect("an integer");
    assert_eq!(integer, Json(1));
    let large = serde_json::from_str::<Json<u64>>("18446744073709551615").expect("an integer");
    assert_eq!(large, Json(u64::MAX));
    let string = serde_json::from_str::<Json<ErlangString>>("[65,100,97]").expect("a string");
    assert_eq!(string, Json(ErlangString::from("Ada")));
    let pair = serde_json::from_str::<Json<(Atom, u8)>>(r#"{"$ok":[1]}"#).expect("a pair");
    assert_eq!(pair, Json((Atom::from(atoms::ok), 1)));
}

#[test]
fn a_value_has_no_second_form() {
    assert!(serde_json::from_str::<Json<String>>(r#"{"@text":"Ada"}"#).is_err());
    assert!(serde_json::from_str::<Json<u64>>(r#"{"@integer":"5"}"#).is_err());
    for text in [
        r#""true""#,
        r#""undefined""#,
        r#"{"@integer":"5"}"#,
        r#"{"@bits":"00000001"}"#,
        r#"{"@map":[]}"#,
        r#"{"@map":[["a",1]]}"#,
        r#"{"@map":[[1,2],[1,3]]}"#,
        r#"{"@improper":[1,[2]]}"#,
        r#"{"@pid":"+5.0.7.a@b"}"#,
        r#"{"@at":1,"b":2}"#,
    ] {
        assert!(serde_json::from_str::<Term>(text).is_err(), "{text}");
    }
}

#[test]
fn errors_lead_to_what_is_wrong() {
    let wrong = r#"[{"owner": "Ada", "manager": 5, "@$odd": true}]"#;
    let error = serde_json::from_str::<Json<Vec<Account>>>(wrong).expect_err("no account");
    assert_eq!(error.to_string(), "[0].manager: expected atom(), got 5");
    let error = serde_json::from_str::<Account>("{}").expect_err("no account");
    assert_eq!(
        error.to_string(),
        "owner: expected binary(), got no such key"
    );
}

#[test]
fn a_bound_of_the_rust_type_is_named_with_its_remedy() {
    let error = |text: &str| serde_json::from_str::<Json<Vec<Limit>>>(text).expect_err("too large");
    assert_eq!(
        error(r#"["infinity", {"@integer": "99999999999999999999999"}]"#).to_string(),
        "[1]: expected non_neg_integer() of at most 64 bits (use `Integer` for others), got \
         {\"@integer\":\"99999999999999999999999\"}"
    );
    assert_eq!(
        error("[-1]").to_string(),
        "[0]: expected non_neg_integer() | infinity, got -1"
    );
}

#[derive(Debug, PartialEq, Term)]
enum Limit {
    #[term(untagged)]
    Number(u64),
    Infinity,
}

mod structs {
    use otp_bridge::Term;

    otp_bridge::atoms! { cat, dog }

    #[derive(Debug, PartialEq, Term)]
    #[term(exact)]
    pub(super) struct Cat {
        pub(super) age: u8,
        pub(super) kind: cat,
    }

    #[derive(Debug, PartialEq, Term)]
    #[term(exact)]
    pub(super) struct Dog {
        pub(super) age: otp_bridge::Atom,
        pub(super) kind: dog,
    }

    #[derive(Debug, PartialEq, Term)]
    pub(super) enum Pet {
        #[term(untagged)]
        Cat(Cat),
        #[term(untagged)]
        Dog(Dog),
    }
}

#[test]
fn a_wrong_field_is_reported_for_the_member_with_its_tag() {
    let error = |text: &str| {
        let error = serde_json::from_str::<structs::Pet>(text).expect_err("a wrong field");
        error.to_string()
    };
    assert_eq!(
        error(r#"{"age": 3, "kind": "dog"}"#),
        "age: expected atom(), got 3"
    );
    assert_eq!(
        error(r#"{"age": "old", "kind": "cat"}"#),
        "age: expected 0..255, got \"old\""
    );
}

#[derive(Debug, PartialEq, Term)]
#[term(exact)]
struct Exact {
    id: u8,
}

#[derive(Debug, PartialEq, Term)]
struct Open {
    id: u8,
    #[term(rest)]
    others: Map<Term, u8>,
}

#[test]
fn other_keys_are_refused_kept_or_passed_over() {
    let with_other = r#"{"id": 1, "@$odd": 2, "@@odd": 3}"#;
    let error = serde_json::from_str::<Exact>(with_other).expect_err("another key");
    assert_eq!(error.to_string(), "$odd: expected no such key, got 2");
    assert_eq!(
        serde_json::from_str::<Exact>(r#"{"id":1}"#).expect("exact"),
        Exact { id: 1 }
    );

    let others = [(Term::Integer(2), 3), (Term::Atom(atoms::ok.into()), 4)];
    let open = Open {
        id: 1,
        others: others.into_iter().collect(),
    };
    let text = serde_json::to_string(&open).expect("JSON");
    assert_eq!(text, r#"{"@map":[[2,3],["id",1],["ok",4]]}"#);
    assert_eq!(serde_json::from_str::<Open>(&text).expect("open"), open);

    let known = r#"{"owner": "Ada", "manager": null, "@$odd": true, "other": 1}"#;
    assert_eq!(
        serde_json::from_str::<Account>(known).expect("an account"),
        account()
    );
}

#[test]
fn the_schema_of_a_union() {
    let schema = serde_json::to_string_pretty(&schema::<Request>()).expect("JSON");
    insta::assert_snapshot!(schema);
}

mod sided {
    use otp_bridge::Term;

    otp_bridge::atoms! { left, right }

    /// `{x(), left} | {x(), right} | done`, where each member contains all of them.
    #[derive(Debug, Clone, PartialEq, Term)]
    pub(super) enum Sided {
        #[term(tuple)]
        Left(Box<Sided>, left),
        #[term(untagged)]
        Right(OnTheRight),
        Done,
    }

    #[derive(Debug, Clone, PartialEq, Term)]
    #[term(tuple)]
    pub(super) struct OnTheRight(pub(super) Box<Sided>, pub(super) right);
}

/// If each member were tried, the innermost value would be read 2^60 times.
#[test]
fn members_are_told_apart_before_what_is_in_them_is_read() {
    use sided::{OnTheRight, Sided};

    let value = (0..60).fold(Sided::Done, |inner, level| match level % 2 {
        0 => Sided::Left(Box::new(inner), sided::left),
        _ => Sided::Right(OnTheRight(Box::new(inner), sided::right)),
    });
    let text = serde_json::to_string(&value).expect("JSON");
    assert_eq!(
        serde_json::from_str::<Sided>(&text).expect("a value"),
        value
    );
}

/// The failing part of a union's member is read once on each level, however deep it is.
#[test]
fn a_deep_mistake_is_found_in_time() {
    #[derive(Debug, Term)]
    enum Nested {
        #[term(untagged)]
        List(Vec<Nested>),
        #[term(untagged)]
        Whole(i64),
        Leaf,
    }
    let started = std::time::Instant::now();
    let text = "[".repeat(100) + "{}" + &"]".repeat(100);
    let error = serde_json::from_str::<Nested>(&text).expect_err("a leaf of another type");
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
    assert!(error.to_string().starts_with("[0][0]"), "{error}");
}
