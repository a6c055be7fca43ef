//! The errors about a term: the mistake, and its position.

use std::collections::{BTreeMap, HashMap, VecDeque};

use otp_bridge::term::etf;
use otp_bridge::term::{ErlangString, Integer};
use otp_bridge::{Atom, FromTerm, Term, Timeout};

use crate::generate::{Random, atom, float, integer, list, map, term, tuple};

#[derive(Debug, PartialEq, otp_bridge::Term)]
enum Restart {
    Permanent,
    Transient,
    Temporary,
}

#[derive(Debug, PartialEq, otp_bridge::Term)]
struct ChildSpec {
    id: Atom,
    #[term(optional)]
    restart: Option<Restart>,
    #[term(optional, key = "type")]
    kind: Option<Atom>,
}

#[derive(Debug, PartialEq, otp_bridge::Term)]
enum Message {
    Start(Vec<ChildSpec>),
    Stop(Timeout, (u8, bool)),
}

fn error<T: FromTerm + std::fmt::Debug>(term: &Term) -> String {
    term.decode::<T>()
        .expect_err("a term of another type")
        .to_string()
}

#[test]
fn the_path_leads_to_the_offending_term() {
    let spec = |restart: &str| map([(atom("id"), atom("a")), (atom("restart"), atom(restart))]);
    let specs = list([
        spec("permanent"),
        spec("temporary"),
        spec("transient"),
        spec("soon"),
    ]);
    let no_id = list([map([(atom("restart"), atom("permanent"))])]);
    let stop = |last: Term| tuple([atom("stop"), atom("infinity"), tuple([integer(1), last])]);
    let ages = |value: Term| map([(Term::of("ada"), list([integer(36), value]))]);
    insta::assert_snapshot!([
        error::<Vec<ChildSpec>>(&specs),
        error::<Vec<ChildSpec>>(&no_id),
        error::<Message>(&tuple([atom("start"), specs])),
        error::<Message>(&stop(integer(0))),
        error::<Message>(&tuple([atom("stop"), integer(-1), integer(2)])),
        error::<Message>(&atom("stop")),
        error::<BTreeMap<String, Vec<u8>>>(&ages(atom("young"))),
        error::<BTreeMap<String, Vec<u8>>>(&map([(atom("ada"), list([]))])),
        error::<HashMap<String, VecDeque<u8>>>(&ages(integer(256))),
        error::<(u8, (u8, u8))>(&tuple([integer(1), tuple([integer(1), integer(256)])])),
    ].join("\n"), @r#"
    [3].restart: expected permanent | transient | temporary, got soon
    [0].id: expected atom(), got no such key in #{restart => permanent}
    1[3].restart: expected permanent | transient | temporary, got soon
    2.1: expected boolean(), got 0
    1: expected timeout(), got -1
    expected {start, [#{id := atom(), restart => permanent | transient | temporary, type => atom()}]} | {stop, timeout(), {0..255, boolean()}}, got stop
    <<"ada">>[1]: expected 0..255, got young
    ada: expected binary(), got ada
    <<"ada">>[1]: expected 0..255, got 256
    1.1: expected 0..255, got 256
    "#);
}

#[test]
fn the_expected_type_is_erlang_text() {
    insta::assert_snapshot!([
        error::<u8>(&integer(256)),
        error::<u8>(&atom("a")),
        error::<u64>(&integer(-1)),
        error::<u64>(&atom("a")),
        error::<i64>(&Term::of(&u64::MAX)),
        error::<i128>(&"1".repeat(50).parse::<Integer>().map(|value| Term::of(&value)).expect("digits")),
        error::<std::num::NonZeroU8>(&integer(0)),
        error::<std::num::NonZeroI64>(&integer(0)),
        error::<f64>(&integer(1)),
        error::<i64>(&float(1.0)),
        error::<bool>(&atom("yes")),
        error::<String>(&Term::of(&otp_bridge::term::Binary::from(&b"\xff"[..]))),
        error::<String>(&Term::of(&ErlangString::from("list"))),
        error::<ErlangString>(&Term::of("binary")),
        error::<Option<u8>>(&atom("none")),
        error::<Option<Vec<u8>>>(&list([atom("none")])),
        error::<Vec<u8>>(&Term::of(&(1_u8, 2_u8))),
        error::<()>(&list([])),
        error::<char>(&integer(0xD800)),
        error::<otp_bridge::Pid>(&atom("me")),
    ].join("\n"), @r#"
    expected 0..255, got 256
    expected 0..255, got a
    expected non_neg_integer(), got -1
    expected non_neg_integer(), got a
    expected integer() of at most 64 bits (use `Integer` for others), got 18446744073709551615
    expected integer() of at most 128 bits (use `Integer` for others), got 11111111111111111111111111111111111111111111111111
    expected 1..255, got 0
    expected neg_integer() | pos_integer(), got 0
    expected float(), got 1
    expected integer(), got 1.0
    expected boolean(), got yes
    expected binary() of UTF-8 (use `Binary` for others), got <<255>>
    expected binary(), got "list"
    expected string(), got <<"binary">>
    expected undefined | 0..255, got none
    [0]: expected 0..255, got none
    expected [0..255], got {1,2}
    expected {}, got []
    expected char() that is not a surrogate (use `Char` for others), got 55296
    expected pid(), got me
    "#);
}

/// A bound that only the Rust type has is not shown as the Erlang type.
#[test]
fn a_bound_of_the_rust_type_is_named_with_its_remedy() {
    let large = "99999999999999999999999"
        .parse::<Integer>()
        .expect("digits");
    let large = Term::of(&large);
    let huge = Term::of(&"9".repeat(50).parse::<Integer>().expect("digits"));
    let surrogate = integer(0xD800);
    insta::assert_snapshot!([
        error::<u64>(&large),
        error::<usize>(&large),
        error::<i64>(&large),
        error::<u128>(&huge),
        error::<std::num::NonZeroU64>(&large),
        error::<std::num::NonZeroU64>(&integer(0)),
        error::<otp_bridge::term::NegInteger>(&Term::of(&i128::MIN)),
        error::<otp_bridge::term::NegInteger>(&large),
        error::<Timeout>(&large),
        error::<Option<u64>>(&large),
        error::<Coefficient>(&large),
        error::<Coefficient>(&integer(-1)),
        error::<Vec<Coefficient>>(&list([large])),
        error::<f32>(&float(1e300)),
        error::<char>(&surrogate),
        error::<ErlangString>(&list([integer(65), surrogate.clone()])),
        error::<otp_bridge::term::NonemptyString>(&list([surrogate])),
        error::<otp_bridge::term::NonemptyString>(&list([])),
    ].join("\n"), @r#"
    expected non_neg_integer() of at most 64 bits (use `Integer` for others), got 99999999999999999999999
    expected non_neg_integer() of at most 64 bits (use `Integer` for others), got 99999999999999999999999
    expected integer() of at most 64 bits (use `Integer` for others), got 99999999999999999999999
    expected non_neg_integer() of at most 128 bits (use `Integer` for others), got 99999999999999999999999999999999999999999999999999
    expected pos_integer() of at most 64 bits (use `Integer` for others), got 99999999999999999999999
    expected pos_integer(), got 0
    expected neg_integer() of at most 64 bits (use `Integer` for others), got -170141183460469231731687303715884105728
    expected neg_integer(), got 99999999999999999999999
    expected timeout() of at most 64 bits (use `Integer` for others), got 99999999999999999999999
    expected non_neg_integer() of at most 64 bits (use `Integer` for others), got 99999999999999999999999
    expected non_neg_integer() of at most 64 bits (use `Integer` for others), got 99999999999999999999999
    expected non_neg_integer() | inf, got -1
    [0]: expected non_neg_integer() of at most 64 bits (use `Integer` for others), got 99999999999999999999999
    expected float() in the range of `f32` (use `f64` for others), got 1.0e300
    expected char() that is not a surrogate (use `Char` for others), got 55296
    expected string() without surrogates (use `Vec<Char>` for others), got [65,55296]
    expected nonempty_string() without surrogates (use `Vec<Char>` for others), got [55296]
    expected nonempty_string(), got []
    "#);
}

/// Like `Decimal.t()`.
#[derive(Debug, PartialEq, otp_bridge::Term)]
enum Coefficient {
    #[term(untagged)]
    Number(u64),
    Inf,
}

#[test]
fn the_offending_term_is_cut() {
    let text = error::<u8>(&list((0..1000).map(|_| atom("long"))));
    assert_eq!(text.len(), "expected 0..255, got ".len() + 200 + 3);
    assert!(text.ends_with("..."));
}

#[test]
fn an_error_is_a_term() {
    let error = list([integer(1), atom("x")])
        .decode::<Vec<u8>>()
        .expect_err("no byte");
    let expected = "#{expected => <<\"0..255\">>,got => <<\"x\">>,path => <<\"[1]\">>}";
    assert_eq!(Term::of(&error).to_string(), expected);
    assert_eq!(error.path().count(), 1);
}

#[test]
fn types_that_contain_themselves_end() {
    #[derive(Debug, PartialEq, otp_bridge::Term)]
    enum Tree {
        Leaf,
        Node(Box<Tree>, u8, Box<Tree>),
    }

    let leaf = || Box::new(Tree::Leaf);
    let tree = Tree::Node(Box::new(Tree::Node(leaf(), 1, leaf())), 2, leaf());
    assert_eq!(
        Term::of(&tree).to_string(),
        "{node,{node,leaf,1,leaf},2,leaf}"
    );
    assert_eq!(Term::of(&tree).decode(), Ok(tree));

    let wrong = tuple([atom("node"), atom("leaf"), integer(1), atom("root")]);
    assert_eq!(
        error::<Tree>(&wrong),
        "3: expected leaf | {node, tree(), 0..255, tree()}, got root"
    );

    let grow = |inner: Term, _| tuple([atom("node"), inner, integer(1), atom("leaf")]);
    let deep = (0..100_000).fold(atom("leaf"), grow);
    let message = error::<Tree>(&deep);
    assert!(
        message.ends_with(
            "...: expected a term of at most 16384 levels of lists, tuples and maps, got one that is \
             nested deeper"
        ),
        "{message}"
    );
}

/// No type panics while it reads a term.
#[test]
fn any_term_is_read_or_refused() {
    let mut random = Random::new(5);
    let mut read = 0;
    for _ in 0..2000 {
        let term = term(&mut random, 3, true);
        let outcomes = [
            term.decode::<Vec<ChildSpec>>().is_ok(),
            term.decode::<Message>().is_ok(),
            term.decode::<Option<Vec<i128>>>().is_ok(),
            term.decode::<BTreeMap<Term, Term>>().is_ok(),
            term.decode::<otp_bridge::term::Iodata>().is_ok(),
            term.decode::<(Term, ErlangString)>().is_ok(),
        ];
        read += outcomes.iter().filter(|outcome| **outcome).count();
        assert_eq!(term.decode::<Term>().as_ref(), Ok(&term));
        assert_eq!(etf::decode(&etf::encode(&term)).as_ref(), Ok(&term));
    }
    assert!(read > 100, "{read} of these terms were of some type");
}

/// Types that all refer to each other: expanded on every path from one to the next, they would fill
/// 10! texts.
mod crowded {
    macro_rules! crowd {
        ($($name:ident)*) => {
            crowd! { @each [$($name)*] $($name)* }
        };
        (@each $all:tt $($name:ident)*) => {$(
            crowd! { @one $name $all }
        )*};
        (@one $this:ident [$($name:ident)*]) => {
            #[expect(
                clippy::enum_variant_names,
                reason = "a type's variants are called as the types that they hold, itself among them"
            )]
            #[derive(Debug, PartialEq, otp_bridge::Term)]
            pub(super) enum $this {
                $($name(Box<$name>),)*
                None,
            }
        };
    }

    crowd! { A B C D E F G H I J }
}

#[test]
fn the_expected_type_of_an_error_is_no_longer_than_its_types() {
    let error = Term::Integer(1).decode::<crowded::A>().unwrap_err();
    let expected = error.expected_type();
    assert!(
        expected.starts_with("{a, a()} | {b, {a, a()} | {b, b()}"),
        "{expected}"
    );
    assert!(expected.len() < 10_000, "{}", expected.len());
}
