//! Unions whose members have no tag.

use otp_bridge::term::{Binary, ErlangType};
use otp_bridge::{Atom, Pid, Term};

use crate::generate::{atom, integer, list, map, pid, tuple};

#[derive(Debug, PartialEq, Term)]
enum ServerRef {
    Global(Atom),
    Via(Atom, Term),
    #[term(untagged)]
    Pid(Pid),
    #[term(untagged)]
    Name(Atom),
    #[term(tuple)]
    Remote(Atom, Atom),
}

#[test]
fn tagged_members_come_first_then_the_order_of_the_source() {
    let read = |term: Term| term.decode::<ServerRef>();
    let name = |text| Atom::new(text).expect("a short text");
    assert_eq!(
        read(tuple([atom("global"), atom("shop")])),
        Ok(ServerRef::Global(name("shop")))
    );
    assert_eq!(read(atom("shop")), Ok(ServerRef::Name(name("shop"))));
    assert_eq!(
        read(tuple([atom("shop"), atom("node@host")])),
        Ok(ServerRef::Remote(name("shop"), name("node@host")))
    );
    assert!(matches!(read(pid("n@h", 1, 0)), Ok(ServerRef::Pid(_))));
    assert_eq!(
        ServerRef::erlang_type(),
        "{global, atom()} | {via, atom(), term()} | pid() | atom() | {atom(), atom()}"
    );
}

#[test]
fn a_tagged_member_that_fails_leaves_the_others_their_turn() {
    #[derive(Debug, PartialEq, Term)]
    enum Request {
        Add(u8),
        #[term(untagged)]
        Other(Term),
    }

    assert_eq!(
        tuple([atom("add"), integer(1)]).decode(),
        Ok(Request::Add(1))
    );
    let other = tuple([atom("add"), integer(256)]);
    assert_eq!(other.decode(), Ok(Request::Other(other.clone())));
}

#[derive(Debug, PartialEq, Term)]
struct Specification {
    id: Atom,
    modules: Vec<Atom>,
}

#[derive(Debug, PartialEq, Term)]
enum ChildSpec {
    #[term(untagged)]
    Map(Specification),
    #[term(tuple)]
    Tuple(Atom, Vec<Atom>),
    #[term(untagged)]
    Nested(Box<Wrapped>),
}

#[derive(Debug, PartialEq, Term)]
enum Wrapped {
    Wrapped(ChildSpec),
    #[term(untagged)]
    Binary(Binary),
}

#[test]
fn the_error_is_of_the_member_that_got_furthest() {
    let specification = |module: Term| {
        map([
            (atom("id"), atom("a")),
            (atom("modules"), list([atom("m"), module])),
        ])
    };
    let error = |term: Term| {
        term.decode::<ChildSpec>()
            .expect_err("no child")
            .to_string()
    };
    let wrapped = tuple([atom("wrapped"), specification(integer(1))]);
    insta::assert_snapshot!([
        error(specification(integer(1))),
        error(tuple([atom("a"), list([integer(1)])])),
        error(integer(7)),
        error(wrapped),
    ].join("\n"), @r#"
    modules[1]: expected atom(), got 1
    1[0]: expected atom(), got 1
    expected #{id := atom(), modules := [atom()]} | {atom(), [atom()]} | {wrapped, child_spec()} | binary(), got 7
    1.modules[1]: expected atom(), got 1
    "#);
}

#[test]
fn after_an_attempt_errors_have_their_texts_again() {
    assert!(tuple([atom("a"), list([])]).decode::<ChildSpec>().is_ok());
    assert!(integer(1).decode::<ServerRef>().is_err());
    let error = atom("a").decode::<u8>().expect_err("no byte");
    assert_eq!(error.to_string(), "expected 0..255, got a");
}

/// If each level were read twice, this would take 2^50 attempts.
#[test]
fn a_deep_mistake_is_found_in_one_pass_a_level() {
    let deep = (0..50).fold(integer(7), |term, _| tuple([atom("wrapped"), term]));
    let error = deep.decode::<ChildSpec>().expect_err("no child");
    assert_eq!(error.path().len(), 50);
}

mod structs {
    use otp_bridge::Term;

    otp_bridge::atoms! { cat, dog }

    /// `#{name := binary(), age := 0..255, kind := cat}`
    #[derive(Debug, PartialEq, Term)]
    #[term(exact)]
    pub(super) struct Cat {
        pub(super) name: String,
        pub(super) age: u8,
        pub(super) kind: cat,
    }

    /// `#{name := binary(), age := atom(), toys := [[0..255]], kind := dog}`
    #[derive(Debug, PartialEq, Term)]
    #[term(exact)]
    pub(super) struct Dog {
        pub(super) name: String,
        pub(super) age: otp_bridge::Atom,
        pub(super) toys: Vec<Vec<u8>>,
        pub(super) kind: dog,
    }

    /// `#{title := binary()}`
    #[derive(Debug, PartialEq, Term)]
    #[term(exact)]
    pub(super) struct Book {
        pub(super) title: String,
    }

    #[derive(Debug, PartialEq, Term)]
    pub(super) enum Thing {
        #[term(untagged)]
        Cat(Cat),
        #[term(untagged)]
        Dog(Dog),
        #[term(untagged)]
        Book(Book),
    }
}

/// The error is about the member whose tag the value has, wherever the tag is and however far other
/// members can be read.
#[test]
fn a_wrong_field_is_reported_for_the_member_with_its_tag() {
    use structs::Thing;

    let error = |entries: &[(&str, Term)]| {
        let entries = entries.iter();
        let term = Term::Map(
            entries
                .map(|(key, value)| (atom(key), value.clone()))
                .collect(),
        );
        term.decode::<Thing>()
            .expect_err("a wrong field")
            .to_string()
    };
    let name = || ("name", Term::of("Rex"));
    let toys = |toy: u16| ("toys", Term::of(&vec![vec![1], vec![toy]]));
    insta::assert_snapshot!([
        error(&[name(), ("age", integer(300)), ("kind", atom("cat"))]),
        error(&[name(), ("age", integer(3)), toys(3), ("kind", atom("dog"))]),
        error(&[name(), ("age", atom("old")), toys(300), ("kind", atom("dog"))]),
        error(&[name(), ("kind", atom("dog"))]),
        error(&[("title", integer(1))]),
        error(&[name(), ("age", integer(3)), ("kind", atom("owl"))]),
    ].join("\n"), @r##"
    age: expected 0..255, got 300
    age: expected atom(), got 3
    toys[1][0]: expected 0..255, got 300
    age: expected atom(), got no such key in #{kind => dog,name => <<"Rex">>}
    title: expected binary(), got 1
    expected #{name := binary(), age := 0..255, kind := cat} | #{name := binary(), age := atom(), toys := [[0..255]], kind := dog} | #{title := binary()}, got #{age => 3,kind => owl,name => <<"Rex">>}
    "##);
}
