//! The shapes of `derive(Term)`: each row of its table, written and read.

use otp_bridge::term::ErlangType;
use otp_bridge::{FromTerm, Request, Term, Timeout, ToTerm};

use crate::generate::{atom, integer, map, tuple};

fn both_ways<T: ToTerm + FromTerm + PartialEq + std::fmt::Debug>(value: T) -> String {
    let term = Term::of(&value);
    assert_eq!(term.decode::<T>().as_ref(), Ok(&value));
    format!("{} :: {term}", T::erlang_type())
}

#[derive(Debug, PartialEq, Term)]
struct Get;

#[derive(Debug, PartialEq, Term)]
struct HttpGet(String, Timeout);

#[derive(Debug, PartialEq, Term)]
struct Empty();

#[derive(Debug, PartialEq, Term)]
#[term(tag = "EXIT")]
struct Exit(u8);

#[derive(Debug, PartialEq, Term)]
struct Point {
    x: i64,
    #[term(optional)]
    label: Option<String>,
    #[term(key = "type")]
    kind: Get,
    r#final: bool,
}

#[derive(Debug, PartialEq, Term)]
#[term(record)]
struct Address {
    street: String,
    number: Option<u8>,
}

#[derive(Debug, PartialEq, Term)]
#[term(record, tag = "Person")]
struct Named {
    name: String,
}

#[derive(Debug, PartialEq, Term)]
#[term(tuple)]
struct Pair(u8, bool);

#[derive(Debug, PartialEq, Term)]
#[term(tuple)]
struct NamedPair {
    left: u8,
    right: bool,
}

#[derive(Debug, PartialEq, Term)]
#[term(transparent)]
struct Meters(u64);

#[derive(Debug, PartialEq, Term)]
#[term(transparent)]
struct Wrapper<T> {
    content: Vec<T>,
}

#[test]
fn structs() {
    let point = |label: Option<&str>| Point {
        x: -1,
        label: label.map(str::to_owned),
        kind: Get,
        r#final: true,
    };
    insta::assert_snapshot!([
        both_ways(Get),
        both_ways(HttpGet("/".to_owned(), Timeout::Infinity)),
        both_ways(Empty()),
        both_ways(Exit(1)),
        both_ways(point(Some("origin"))),
        both_ways(point(None)),
        both_ways(Address { street: "Unter den Linden".to_owned(), number: None }),
        both_ways(Named { name: "Ada".to_owned() }),
        both_ways(Pair(1, true)),
        both_ways(NamedPair { left: 1, right: true }),
        both_ways(Meters(5)),
        both_ways(Wrapper { content: vec![Get] }),
    ].join("\n"), @r#"
    get :: get
    {http_get, binary(), timeout()} :: {http_get,<<"/">>,infinity}
    {empty} :: {empty}
    {'EXIT', 0..255} :: {'EXIT',1}
    #{x := integer(), label => binary(), type := get, final := boolean()} :: #{final => true,label => <<"origin">>,type => get,x => -1}
    #{x := integer(), label => binary(), type := get, final := boolean()} :: #{final => true,type => get,x => -1}
    {address, binary(), undefined | 0..255} :: {address,<<"Unter den Linden">>,undefined}
    {'Person', binary()} :: {'Person',<<"Ada">>}
    {0..255, boolean()} :: {1,true}
    {0..255, boolean()} :: {1,true}
    non_neg_integer() :: 5
    [get] :: [get]
    "#);
}

#[derive(Debug, PartialEq, Term)]
enum Returned<Value, State> {
    Noreply(State),
    #[term(tag = "noreply")]
    NoreplyWith(State, Timeout),
    Reply(Value, State),
    #[term(tag = "stop")]
    Stop,
    #[term(tag = "stop")]
    StopWith(State),
    #[allow(
        non_camel_case_types,
        reason = "names that Rust reserves take a trailing `_`"
    )]
    continue_,
    #[term(record)]
    Moved {
        to: Value,
        code: u16,
    },
}

impl<Value, State> Returned<Value, State> {
    const CONTINUE: Self = Returned::continue_;
}

#[test]
fn enums() {
    type Generic = Returned<u8, bool>;
    insta::assert_snapshot!([
        both_ways(Generic::Noreply(true)),
        both_ways(Generic::NoreplyWith(true, Timeout::from_millis(5))),
        both_ways(Generic::Reply(1, false)),
        both_ways(Generic::Stop),
        both_ways(Generic::StopWith(false)),
        both_ways(Generic::CONTINUE),
        both_ways(Generic::Moved { to: 7, code: 301 }),
    ].map(|form| form.split(" :: ").last().map(str::to_owned).unwrap_or_default()).join("\n"), @r#"
    {noreply,true}
    {noreply,true,5}
    {reply,1,false}
    stop
    {stop,false}
    continue
    {moved,7,301}
    "#);
    insta::assert_snapshot!(Generic::erlang_type(), @r#"{noreply, boolean()} | {noreply, boolean(), timeout()} | {reply, 0..255, boolean()} | stop | {stop, boolean()} | continue | {moved, 0..255, 0..65535}"#);
}

#[test]
fn keys_that_a_struct_does_not_know_are_passed_over() {
    let term = map([
        (atom("x"), integer(1)),
        (atom("y"), integer(2)),
        (atom("type"), atom("get")),
        (atom("final"), atom("false")),
    ]);
    let point = term.decode::<Point>().expect("a point");
    assert_eq!(
        point,
        Point {
            x: 1,
            label: None,
            kind: Get,
            r#final: false
        }
    );
}

#[test]
fn an_enum_without_variants_is_no_term() {
    #[derive(Debug, PartialEq, Term)]
    enum Never {}

    assert_eq!(Never::erlang_type(), "none()");
    let error = atom("a").decode::<Never>().expect_err("there is none");
    assert_eq!(error.to_string(), "expected none(), got a");
}

#[test]
fn a_request_fixes_its_reply() {
    #[derive(Debug, PartialEq, Term)]
    #[reply(Vec<u64>)]
    struct History(u8);

    #[derive(Debug, PartialEq, Term)]
    #[reply(Option<Key>)]
    enum Lookup<Key: Clone> {
        First,
        Next(Key),
    }

    fn reply_type<R: Request<Reply: ErlangType>>(_: &R) -> String {
        R::Reply::erlang_type()
    }

    assert_eq!(reply_type(&History(3)), "[non_neg_integer()]");
    assert_eq!(reply_type(&Lookup::Next(5_u8)), "undefined | 0..255");
    assert_eq!(Term::of(&Lookup::<u8>::First), atom("first"));
}

#[test]
fn generic_types_need_only_what_they_are_used_for() {
    /// It can be written, but not read.
    struct Sealed;

    impl ErlangType for Sealed {
        fn erlang_type() -> String {
            "sealed".to_owned()
        }
    }

    impl ToTerm for Sealed {
        fn to_term<H: otp_bridge::term::Heap>(&self, heap: H) -> H::Term {
            heap.integer(0)
        }
    }

    assert_eq!(
        Term::of(&Returned::<u8, _>::Reply(1, Sealed)),
        tuple([atom("reply"), integer(1), integer(0)])
    );
}
