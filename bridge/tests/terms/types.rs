//! The Erlang shape of each Rust type.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::num::{NonZeroI8, NonZeroU64};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use otp_bridge::term::{Binary, Bitstring, Char, ErlangString, ErlangType, Integer, Iodata, Map};
use otp_bridge::{Atom, FromTerm, Term, Timeout, ToTerm, atom, atoms};

use crate::generate::{self, integer, list};

/// Writes each value, reads it back, and shows `Rust type: Erlang type: term`.
macro_rules! forms {
    ($($type:ty: $value:expr;)*) => {
        [$(form::<$type>(stringify!($type), $value)),*].join("\n")
    };
}

fn form<T: ToTerm + FromTerm + PartialEq + std::fmt::Debug>(name: &str, value: T) -> String {
    let term = Term::of(&value);
    assert_eq!(term.decode::<T>().as_ref(), Ok(&value), "{name}");
    format!("{name}: {}: {term}", T::erlang_type())
}

#[test]
fn integers() {
    insta::assert_snapshot!(forms! {
        i8: -128;
        i16: 32_767;
        i32: i32::MIN;
        i64: i64::MAX;
        isize: -5;
        i128: i128::MIN;
        u8: 255;
        u16: 65_535;
        u32: u32::MAX;
        u64: u64::MAX;
        usize: 5;
        u128: u128::MAX;
        NonZeroU64: NonZeroU64::MIN;
        NonZeroI8: NonZeroI8::MIN;
        Integer: "123456789012345678901234567890".parse().expect("digits");
        Integer: Integer::from(5);
    }, @r#"
    i8: -128..127: -128
    i16: -32768..32767: 32767
    i32: -2147483648..2147483647: -2147483648
    i64: integer(): 9223372036854775807
    isize: integer(): -5
    i128: integer(): -170141183460469231731687303715884105728
    u8: 0..255: 255
    u16: 0..65535: 65535
    u32: 0..4294967295: 4294967295
    u64: non_neg_integer(): 18446744073709551615
    usize: non_neg_integer(): 5
    u128: non_neg_integer(): 340282366920938463463374607431768211455
    NonZeroU64: pos_integer(): 1
    NonZeroI8: -128..-1 | 1..127: -128
    Integer: integer(): 123456789012345678901234567890
    Integer: integer(): 5
    "#);
}

#[test]
fn other_scalars() {
    insta::assert_snapshot!(forms! {
        bool: true;
        f64: 1.5;
        f32: 0.25;
        char: 'é';
        Char: Char::new(0xD800).expect("a surrogate is a char()");
        Atom: atom!("two words");
        (): ();
        Timeout: Timeout::Infinity;
        Timeout: Timeout::from_millis(50);
        Timeout: Timeout::from(Duration::from_micros(1500));
        Option<u8>: None;
        Option<u8>: Some(7);
    }, @r#"
    bool: boolean(): true
    f64: float(): 1.5
    f32: float(): 0.25
    char: char(): 233
    Char: char(): 55296
    Atom: atom(): 'two words'
    (): {}: {}
    Timeout: timeout(): infinity
    Timeout: timeout(): 50
    Timeout: timeout(): 2
    Option<u8>: undefined | 0..255: undefined
    Option<u8>: undefined | 0..255: 7
    "#);
}

#[test]
fn text_and_bytes() {
    insta::assert_snapshot!(forms! {
        String: "grün".to_owned();
        ErlangString: ErlangString::from("grün");
        Binary: Binary::from(&b"\xff\x00"[..]);
        Bitstring: Bitstring::new(vec![0b1010_0000], 3).expect("three bits");
        Bitstring: Bitstring::from(vec![1, 2]);
        Iodata: Iodata::from("data");
        Vec<u8>: vec![1, 2];
        Cow<'static, str>: Cow::Borrowed("lent");
    }, @r#"
    String: binary(): <<"grün"/utf8>>
    ErlangString: string(): "grün"
    Binary: binary(): <<255,0>>
    Bitstring: bitstring(): <<5:3>>
    Bitstring: bitstring(): <<1,2>>
    Iodata: iodata(): <<"data">>
    Vec<u8>: [0..255]: [1,2]
    Cow<'static, str>: binary(): <<"lent">>
    "#);
}

#[test]
fn containers() {
    insta::assert_snapshot!(forms! {
        Vec<Vec<u8>>: vec![vec![], vec![1]];
        (Atom,): (atom!("a"),);
        (u8, bool, String): (1, false, "c".to_owned());
        (u8, u8, u8, u8, u8, u8, u8, u8): (1, 2, 3, 4, 5, 6, 7, 8);
        BTreeMap<String, u8>: BTreeMap::from([("b".to_owned(), 2), ("a".to_owned(), 1)]);
        Map<Term, u8>: Map::from_iter([(integer(2), 2), (list([]), 1)]);
        HashMap<String, u8>: HashMap::from([("b".to_owned(), 2), ("a".to_owned(), 1)]);
        VecDeque<u8>: VecDeque::from([1, 2]);
        Box<u8>: Box::new(1);
        Arc<Vec<u8>>: Arc::new(vec![]);
        Rc<String>: Rc::new("x".to_owned());
        Term: generate::tuple([integer(1)]);
    }, @r#"
    Vec<Vec<u8>>: [[0..255]]: [[],[1]]
    (Atom,): {atom()}: {a}
    (u8, bool, String): {0..255, boolean(), binary()}: {1,false,<<"c">>}
    (u8, u8, u8, u8, u8, u8, u8, u8): {0..255, 0..255, 0..255, 0..255, 0..255, 0..255, 0..255, 0..255}: {1,2,3,4,5,6,7,8}
    BTreeMap<String, u8>: #{binary() => 0..255}: #{<<"a">> => 1,<<"b">> => 2}
    Map<Term, u8>: #{term() => 0..255}: #{2 => 2,[] => 1}
    HashMap<String, u8>: #{binary() => 0..255}: #{<<"a">> => 1,<<"b">> => 2}
    VecDeque<u8>: [0..255]: [1,2]
    Box<u8>: 0..255: 1
    Arc<Vec<u8>>: [0..255]: []
    Rc<String>: binary(): <<"x">>
    Term: term(): {1}
    "#);
}

/// Erlang's functions return `ok` alone if they have no value.
#[test]
fn a_result_of_nothing_is_ok() {
    insta::assert_snapshot!(forms! {
        Result<u8, bool>: Ok(3);
        Result<u8, bool>: Err(true);
        Result<(), bool>: Ok(());
        Result<(), bool>: Err(true);
        Result<Result<(), bool>, u8>: Ok(Ok(()));
        Result<Result<(), bool>, u8>: Ok(Err(true));
        Result<Result<(), bool>, u8>: Err(3);
        Option<Result<(), bool>>: Some(Ok(()));
        Vec<Result<(), bool>>: vec![Ok(()), Err(false)];
        Result<Box<()>, bool>: Ok(Box::new(()));
        Result<((),), bool>: Ok(((),));
    }, @r#"
    Result<u8, bool>: {ok, 0..255} | {error, boolean()}: {ok,3}
    Result<u8, bool>: {ok, 0..255} | {error, boolean()}: {error,true}
    Result<(), bool>: ok | {error, boolean()}: ok
    Result<(), bool>: ok | {error, boolean()}: {error,true}
    Result<Result<(), bool>, u8>: {ok, ok | {error, boolean()}} | {error, 0..255}: {ok,ok}
    Result<Result<(), bool>, u8>: {ok, ok | {error, boolean()}} | {error, 0..255}: {ok,{error,true}}
    Result<Result<(), bool>, u8>: {ok, ok | {error, boolean()}} | {error, 0..255}: {error,3}
    Option<Result<(), bool>>: undefined | ok | {error, boolean()}: ok
    Vec<Result<(), bool>>: [ok | {error, boolean()}]: [ok,{error,false}]
    Result<Box<()>, bool>: ok | {error, boolean()}: ok
    Result<((),), bool>: {ok, {{}}} | {error, boolean()}: {ok,{{}}}
    "#);
    let lent: Result<&(), bool> = Ok(&());
    assert_eq!(Term::of(&lent), Term::of(&atoms::ok));
}

#[test]
fn a_result_of_nothing_has_no_value() {
    let read = |term: Term| term.decode::<Result<(), bool>>().map_err(|e| e.to_string());
    insta::assert_snapshot!(read(Term::of(&(atoms::ok, ()))).expect_err("no value"), @"expected ok | {error, boolean()}, got {ok,{}}");
    insta::assert_snapshot!(read(Term::of(&atoms::error)).expect_err("no reason"), @"expected ok | {error, boolean()}, got error");
    insta::assert_snapshot!(read(Term::of(&(atoms::error, 3))).expect_err("not a boolean"), @"1: expected boolean(), got 3");
}

#[test]
fn what_is_lent_is_written_like_what_is_owned() {
    assert_eq!(Term::of("text"), Term::of(&"text".to_owned()));
    assert_eq!(Term::of(&&&5_u8), Term::of(&5_u8));
    assert_eq!(Term::of(&[1_u16, 2][..]), Term::of(&vec![1_u16, 2]));
    assert_eq!(
        Term::of(&[1_u8, 2][..]),
        Term::of(&Binary::from([1_u8, 2].as_slice()))
    );
    assert_eq!(<&[u8]>::erlang_type(), "binary()");
    assert_eq!(Term::of(&[1_u8, 2]), Term::of(&vec![1_u8, 2]));
    assert_eq!(<[u8; 2]>::erlang_type(), "[0..255]");
    assert_eq!(<&str>::erlang_type(), "binary()");
}

#[test]
fn identifiers() {
    for term in generate::identifiers() {
        let same = match &term {
            Term::Pid(pid) => Term::of(pid).decode().map(Term::Pid),
            Term::Port(port) => Term::of(port).decode().map(Term::Port),
            Term::Reference(reference) => Term::of(reference).decode().map(Term::Reference),
            other => panic!("{other} is not an identifier"),
        };
        assert_eq!(same, Ok(term));
    }
    let Term::Fun(fun) = generate::fun("lists", "map", 2) else {
        unreachable!("a fun was made")
    };
    assert_eq!((fun.module(), fun.arity()), (&atom!("lists"), 2));
    assert_eq!(Term::of(&fun).decode(), Ok(fun));
}

#[test]
fn iodata_nests() {
    let nested = list([
        integer(104),
        list([generate::bytes(b"el"), list([integer(108)])]),
        list([]),
        otp_bridge::term::ImproperList::term(vec![integer(111)], generate::bytes(b"!")),
    ]);
    assert_eq!(nested.decode(), Ok(Iodata::from("hello!")));
    for wrong in [
        list([integer(256)]),
        list([generate::atom("a")]),
        integer(1),
    ] {
        let error = wrong.decode::<Iodata>().expect_err("no iodata");
        assert_eq!(error.expected_type(), "iodata()");
    }
    let deep = (0..100_000).fold(list([]), |inner, _| list([inner]));
    assert_eq!(deep.decode(), Ok(Iodata::default()));
    // No decoder creates such a term, and freeing it needs more stack than a test has.
}

#[test]
fn atoms_are_types_and_values() {
    atoms! { ok, "continue" => continue_, "two words" => two_words }
    assert_eq!(Term::of(&ok).to_string(), "ok");
    assert_eq!(
        Term::of(&(continue_, two_words)).to_string(),
        "{continue,'two words'}"
    );
    assert_eq!(two_words::erlang_type(), "'two words'");
    assert_eq!(Term::of(&ok).decode(), Ok(ok));
    assert_eq!(Atom::from(continue_), "continue");
    let error = Term::of(&ok)
        .decode::<continue_>()
        .expect_err("another atom");
    assert_eq!(error.to_string(), "expected continue, got ok");
}

#[test]
fn atoms_have_at_most_255_characters() {
    assert!(Atom::new(&"é".repeat(255)).is_ok());
    let error = Atom::new(&"a".repeat(256)).expect_err("too long");
    assert_eq!(
        error.to_string(),
        "an atom has at most 255 characters, this text has 256"
    );
}

#[test]
fn floats_are_finite() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(otp_bridge::term::Float::new(value).is_none());
        assert!(std::panic::catch_unwind(|| Term::of(&value)).is_err());
    }
    let huge = Term::of(&1e300_f64)
        .decode::<f32>()
        .expect_err("beyond f32");
    assert_eq!(
        huge.to_string(),
        "expected float() in the range of `f32` (use `f64` for others), got 1.0e300"
    );
}

#[test]
fn durations_round_up_to_milliseconds() {
    assert_eq!(
        Timeout::from(Duration::from_nanos(1)),
        Timeout::from_millis(1)
    );
    assert_eq!(
        Timeout::from(Duration::from_millis(2)),
        Timeout::from_millis(2)
    );
    assert_eq!(Timeout::from(Duration::MAX), Timeout::from_millis(u64::MAX));
    assert!(Timeout::from_secs(1_000_000) < Timeout::Infinity);
    assert_eq!(
        Timeout::from_secs(2).duration(),
        Some(Duration::from_secs(2))
    );
    assert_eq!(Timeout::Infinity.duration(), None);
}

#[test]
fn maps_need_no_order() {
    let mut map = Map::from_iter([
        ("a".to_owned(), 1),
        ("b".to_owned(), 2),
        ("a".to_owned(), 3),
    ]);
    assert_eq!((map.len(), map.get(&"a".to_owned())), (2, Some(&3)));
    assert_eq!(map.insert("c".to_owned(), 4), None);
    assert_eq!(map.insert("c".to_owned(), 5), Some(4));
    assert_eq!(map.remove(&"b".to_owned()), Some(2));
    assert_eq!(map.remove(&"b".to_owned()), None);
    let other = BTreeMap::from([("c".to_owned(), 5), ("a".to_owned(), 3)]);
    assert_eq!(Term::of(&map), Term::of(&other));
    assert_eq!(map, Map::from(other));
}

#[test]
fn arrays_are_lists_of_their_length() {
    let term = Term::of(&[1_u64, 2, 3]);
    assert_eq!(term.decode::<[u64; 3]>(), Ok([1, 2, 3]));
    assert_eq!(Term::of::<[u64; 0]>(&[]).decode::<[u64; 0]>(), Ok([]));
    let short = term.decode::<[u64; 2]>().expect_err("there are three");
    let expected = "expected a list of 2 elements, not 3, got [1,2,3]";
    assert_eq!(short.to_string(), expected);
    let other = term.decode::<[Atom; 3]>().expect_err("no atoms");
    assert!(other.to_string().contains("[0]"), "{other}");
    let pair = Term::of(&([1_u64, 2], [3_u64]));
    assert_eq!(pair.decode::<([u64; 2], [u64; 1])>(), Ok(([1, 2], [3])));
}
