//! Types that are narrower than Rust's own: accepted and rejected terms.

use otp_bridge::term::{
    AnyArguments, Binary, Bits, Bitstring, EmptyMap, Float, Fun, FunOf, Identifier, Integer,
    Iodata, Iolist, Literal, MaybeImproperList, NegInteger, Never, Nil, NonemptyImproperList,
    NonemptyList, NonemptyString, Number, Ranged, Tuple,
};
use otp_bridge::{Atom, Term, atom};
use otp_bridge::{FromTerm, ToTerm};

use crate::generate::{atom as atom_term, integer, list, map, tuple};

/// Reads each term as the type: returns `term: value`, or the error. Checks that a value is written
/// as the term that it was read from.
fn read<T: FromTerm + ToTerm + std::fmt::Debug>(terms: &[Term]) -> String {
    let line = |term: &Term| match term.decode::<T>() {
        Ok(value) => {
            assert_eq!(Term::of(&value), *term, "{}", T::erlang_type());
            format!("{term}: {value:?}")
        }
        Err(error) => format!("{term}: {error}"),
    };
    terms.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn improper(elements: Vec<Term>, tail: Term) -> Term {
    otp_bridge::term::ImproperList::term(elements, tail)
}

#[test]
fn integers_are_checked() {
    let numbers = |numbers: &[i64]| numbers.iter().copied().map(integer).collect::<Vec<_>>();
    insta::assert_snapshot!([
        read::<Ranged<u8, 1, 100>>(&numbers(&[0, 1, 100, 101, 1000])),
        read::<Ranged<i16, -300, 2>>(&numbers(&[-301, -300, 3])),
        read::<NegInteger>(&numbers(&[-1, 0])),
        read::<Literal<5>>(&numbers(&[4, 5])),
        read::<Literal<{ 1 << 70 }>>(&[Term::of(&(1_i128 << 70)), integer(5)]),
        read::<Ranged<u8, 1, 9>>(&[Term::of(&1.0)]),
    ].join("\n"), @r#"
    0: expected 1..100, got 0
    1: 1
    100: 100
    101: expected 1..100, got 101
    1000: expected 1..100, got 1000
    -301: expected -300..2, got -301
    -300: -300
    3: expected -300..2, got 3
    -1: -1
    0: expected neg_integer(), got 0
    4: expected 5, got 4
    5: 5
    1180591620717411303424: 1180591620717411303424
    5: expected 1180591620717411303424, got 5
    1.0: expected 1..9, got 1.0
    "#);
}

#[test]
fn numbers_of_the_program_are_checked_too() {
    assert_eq!(Ranged::<u8, 1, 9>::of::<9>().get(), 9);
    assert_eq!(Ranged::<u8, 1, 9>::new(10), None);
    let error = Ranged::<u8, 1, 9>::try_from(0).expect_err("too small");
    assert_eq!(error.to_string(), "0 is not in 1..9");
    assert_eq!(u8::from(Ranged::<u8, 1, 9>::of::<3>()), 3);
    assert_eq!(Literal::<7>.value(), 7);
}

#[test]
fn lists() {
    let (a, one) = (atom_term("a"), integer(1));
    let empty = list([]);
    let proper = list([one.clone(), one.clone()]);
    let tailed = improper(vec![one.clone()], a.clone());
    let all = [empty, proper, tailed, a];
    insta::assert_snapshot!([
        read::<Nil>(&all),
        read::<NonemptyList<u8>>(&all),
        read::<NonemptyList<bool>>(&all),
        read::<MaybeImproperList<u8, Atom>>(&all),
        read::<MaybeImproperList<u8, bool>>(&all),
        read::<NonemptyImproperList<u8, Atom>>(&all),
    ].join("\n\n"), @r#"
    []: []
    [1,1]: expected [], got [1,1]
    [1|a]: expected [], got [1|a]
    a: expected [], got a

    []: expected [0..255, ...], got []
    [1,1]: NonemptyList([1, 1])
    [1|a]: expected [0..255, ...], got [1|a]
    a: expected [0..255, ...], got a

    []: expected [boolean(), ...], got []
    [1,1]: [0]: expected boolean(), got 1
    [1|a]: expected [boolean(), ...], got [1|a]
    a: expected [boolean(), ...], got a

    []: MaybeImproperList { elements: [], tail: None }
    [1,1]: MaybeImproperList { elements: [1, 1], tail: None }
    [1|a]: MaybeImproperList { elements: [1], tail: Some(a) }
    a: expected maybe_improper_list(0..255, atom()), got a

    []: MaybeImproperList { elements: [], tail: None }
    [1,1]: MaybeImproperList { elements: [1, 1], tail: None }
    [1|a]: [1]: expected boolean(), got a
    a: expected maybe_improper_list(0..255, boolean()), got a

    []: expected nonempty_improper_list(0..255, atom()), got []
    [1,1]: expected nonempty_improper_list(0..255, atom()), got [1,1]
    [1|a]: NonemptyImproperList { elements: NonemptyList([1]), tail: a }
    a: expected nonempty_improper_list(0..255, atom()), got a
    "#);
}

#[test]
fn lists_of_the_program() {
    let mut list = NonemptyList::from([1_u8, 2]);
    list.push(3);
    assert_eq!(*list, [1, 2, 3]);
    assert!(NonemptyList::<u8>::try_from(Vec::new()).is_err());
    let tailed = NonemptyImproperList::new(list, atom!("rest"));
    assert_eq!(Term::of(&tailed).to_string(), "[1,2,3|rest]");
    let either = MaybeImproperList::from(tailed);
    assert_eq!(either.tail(), Some(&atom!("rest")));
    assert!(NonemptyString::try_from("").is_err());
}

#[test]
fn text_and_bytes() {
    let text = |text: &str| Term::of(&otp_bridge::term::ErlangString::from(text));
    let bits = |bits: usize| Term::of(&Bitstring::new(vec![0; 8], bits).expect("enough bytes"));
    insta::assert_snapshot!([
        read::<NonemptyString>(&[text(""), text("a")]),
        read::<Bits<8, 8>>(&[bits(0), bits(8), bits(9), bits(24)]),
        read::<Bits<1, 1>>(&[bits(0), bits(1)]),
        read::<Bits<4, 0>>(&[bits(3), bits(4), bits(5)]),
        read::<Bits<0, 0>>(&[bits(0), bits(1)]),
        read::<Bits<3, 7>>(&[bits(2), bits(3), bits(10), bits(11)]),
    ].join("\n"), @r#"
    []: expected nonempty_string(), got []
    "a": "a"
    <<>>: expected nonempty_binary(), got <<>>
    <<0>>: Bits(<<0>>)
    <<0,0:1>>: expected nonempty_binary(), got <<0,0:1>>
    <<0,0,0>>: Bits(<<0,0,0>>)
    <<>>: expected nonempty_bitstring(), got <<>>
    <<0:1>>: Bits(<<0:1>>)
    <<0:3>>: expected <<_:4>>, got <<0:3>>
    <<0:4>>: Bits(<<0:4>>)
    <<0:5>>: expected <<_:4>>, got <<0:5>>
    <<>>: Bits(<<>>)
    <<0:1>>: expected <<>>, got <<0:1>>
    <<0:2>>: expected <<_:3, _:_*7>>, got <<0:2>>
    <<0:3>>: Bits(<<0:3>>)
    <<0,0:2>>: Bits(<<0,0:2>>)
    <<0,0:3>>: expected <<_:3, _:_*7>>, got <<0,0:3>>
    "#);
    assert!(Bits::<16, 0>::try_from(vec![1, 2]).is_ok());
    let error = Bits::<16, 0>::try_from(vec![1]).expect_err("one byte");
    assert_eq!(error.to_string(), "8 bits are not a <<_:16>>");
}

/// Only the bytes are kept, and not their division into parts.
#[test]
fn an_iolist_is_a_list() {
    let nested = list([integer(97), list([Term::of(&Binary::from("b"))])]);
    let read: Iolist = nested.decode().expect("an iolist()");
    assert_eq!(read.to_vec(), b"ab");
    assert_eq!(Term::of(&read).to_string(), r#"[<<"ab">>]"#);
    assert_eq!(Iodata::from(read), Iodata::from("ab"));
    let error = Term::of("ab").decode::<Iolist>().expect_err("a binary");
    assert_eq!(error.to_string(), r#"expected iolist(), got <<"ab">>"#);
}

#[test]
fn tuples_maps_and_numbers() {
    let pid = generate_pid();
    insta::assert_snapshot!([
        read::<Tuple>(&[tuple([]), tuple([integer(1), atom_term("a")]), atom_term("a")]),
        read::<EmptyMap>(&[map([]), map([(atom_term("a"), integer(1))]), tuple([])]),
        read::<Number>(&[integer(1), Term::Float(Float::new(1.0).expect("finite")), atom_term("a")]),
        read::<Identifier>(&[Term::Pid(pid), integer(1)]),
        read::<Never>(&[integer(1)]),
    ].join("\n"), @r#"
    {}: {}
    {1,a}: {1,a}
    a: expected tuple(), got a
    #{}: #{}
    #{a => 1}: expected #{}, got #{a => 1}
    {}: expected #{}, got {}
    1: Integer(1)
    1.0: Float(1.0)
    a: expected number(), got a
    <a@b.1.2>: Pid(<a@b.1.2>)
    1: expected identifier(), got 1
    1: expected none(), got 1
    "#);
    assert_eq!(Number::from(1), Number::Integer(Integer::from(1)));
}

fn generate_pid() -> otp_bridge::Pid {
    otp_bridge::Pid::from_parts(otp_bridge::term::PidParts {
        node: atom!("a@b"),
        id: 1,
        serial: 2,
        creation: 3,
    })
}

#[test]
fn funs_are_checked_for_their_arity() {
    let map = Term::Fun(Fun::external(atom!("lists"), atom!("map"), 2));
    insta::assert_snapshot!([
        read::<FunOf<fn(Atom, u8) -> bool>>(std::slice::from_ref(&map)),
        read::<FunOf<fn(Atom) -> bool>>(std::slice::from_ref(&map)),
        read::<FunOf<fn() -> Never>>(&[map.clone(), atom_term("a")]),
        read::<FunOf<AnyArguments<Atom>>>(&[map, atom_term("a")]),
    ].join("\n"), @r#"
    fun lists:map/2: fun lists:map/2
    fun lists:map/2: expected fun((atom()) -> boolean()), got fun lists:map/2
    fun lists:map/2: expected fun(() -> none()), got fun lists:map/2
    a: expected fun(() -> none()), got a
    fun lists:map/2: fun lists:map/2
    a: expected fun((...) -> atom()), got a
    "#);
    let made = FunOf::<fn(Atom) -> u8>::external(atom!("m"), atom!("f"));
    assert_eq!(made.arity(), 1);
    assert_eq!(FunOf::<fn() -> u8>::new(made.into_fun()), None);
}
