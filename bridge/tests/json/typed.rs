//! Random values of many types: they match their schemas, and are read as they were written.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Debug;
use std::hash::Hash;
use std::num::NonZeroU64;

use otp_bridge::json::{JsonRepresentation, Position};
use otp_bridge::term::{
    Binary, Bitstring, Char, ErlangString, Float, Fun, Integer, Iodata, Map, Number, Port, Ranged,
};
use otp_bridge::{Atom, FromTerm, Pid, Reference, Term, Timeout, ToTerm, atoms};

use crate::generate::{self, Random};
use crate::support::{there_and_back, validator};

/// A value made from random numbers.
trait Arbitrary: Sized {
    fn arbitrary(random: &mut Random) -> Self;
}

macro_rules! integers {
    ($($type:ident)*) => {$(
        impl Arbitrary for $type {
            fn arbitrary(random: &mut Random) -> Self {
                match random.below(6) {
                    0 => $type::MAX,
                    1 => $type::MIN,
                    _ => (random.bits() >> random.below(64)) as $type,
                }
            }
        }
    )*};
}

integers! { i8 i64 u8 u32 u64 i128 }

/// The first random term that is of the type.
macro_rules! from_terms {
    ($($type:ident)*) => {$(
        impl Arbitrary for $type {
            fn arbitrary(random: &mut Random) -> Self {
                loop {
                    if let Ok(value) = generate::term(random, 0, true).decode() {
                        return value;
                    }
                }
            }
        }
    )*};
}

from_terms! { Atom Binary Bitstring Float Integer Pid Port Reference Number Iodata }

impl Arbitrary for Term {
    fn arbitrary(random: &mut Random) -> Self {
        generate::term(random, 2, true)
    }
}

impl Arbitrary for String {
    fn arbitrary(random: &mut Random) -> Self {
        let words = [
            "",
            "get",
            "undefined",
            "$",
            "@text",
            "日本",
            "true",
            "\u{0}",
        ];
        words[random.below(words.len())].to_owned()
    }
}

impl Arbitrary for ErlangString {
    fn arbitrary(random: &mut Random) -> Self {
        String::arbitrary(random).into()
    }
}

impl Arbitrary for bool {
    fn arbitrary(random: &mut Random) -> Self {
        random.below(2) == 0
    }
}

impl Arbitrary for f64 {
    fn arbitrary(random: &mut Random) -> Self {
        Float::arbitrary(random).value()
    }
}

impl Arbitrary for NonZeroU64 {
    fn arbitrary(random: &mut Random) -> Self {
        NonZeroU64::new(u64::arbitrary(random)).unwrap_or(NonZeroU64::MIN)
    }
}

impl Arbitrary for Timeout {
    fn arbitrary(random: &mut Random) -> Self {
        match random.below(2) {
            0 => Timeout::Infinity,
            _ => Timeout::Milliseconds(u64::arbitrary(random)),
        }
    }
}

impl Arbitrary for Fun {
    fn arbitrary(random: &mut Random) -> Self {
        Fun::external(
            Atom::arbitrary(random),
            Atom::arbitrary(random),
            u8::arbitrary(random),
        )
    }
}

impl Arbitrary for Char {
    fn arbitrary(random: &mut Random) -> Self {
        Char::new(random.below(0x11_0000) as u32).expect("a code point")
    }
}

impl Arbitrary for atoms::ok {
    fn arbitrary(_: &mut Random) -> Self {
        atoms::ok
    }
}

impl<T: Arbitrary> Arbitrary for Vec<T> {
    fn arbitrary(random: &mut Random) -> Self {
        (0..random.below(4)).map(|_| T::arbitrary(random)).collect()
    }
}

impl<T: Arbitrary> Arbitrary for Option<T> {
    fn arbitrary(random: &mut Random) -> Self {
        (random.below(3) > 0).then(|| T::arbitrary(random))
    }
}

impl<T: Arbitrary> Arbitrary for Box<T> {
    fn arbitrary(random: &mut Random) -> Self {
        Box::new(T::arbitrary(random))
    }
}

impl<A: Arbitrary, B: Arbitrary> Arbitrary for (A, B) {
    fn arbitrary(random: &mut Random) -> Self {
        (A::arbitrary(random), B::arbitrary(random))
    }
}

impl<K: Arbitrary + PartialEq, V: Arbitrary> Arbitrary for Map<K, V> {
    fn arbitrary(random: &mut Random) -> Self {
        Vec::<(K, V)>::arbitrary(random).into_iter().collect()
    }
}

impl<K: Arbitrary + Ord, V: Arbitrary> Arbitrary for BTreeMap<K, V> {
    fn arbitrary(random: &mut Random) -> Self {
        Vec::<(K, V)>::arbitrary(random).into_iter().collect()
    }
}

impl<K: Arbitrary + Eq + Hash, V: Arbitrary> Arbitrary for HashMap<K, V> {
    fn arbitrary(random: &mut Random) -> Self {
        Vec::<(K, V)>::arbitrary(random).into_iter().collect()
    }
}

impl<T: Arbitrary> Arbitrary for VecDeque<T> {
    fn arbitrary(random: &mut Random) -> Self {
        Vec::arbitrary(random).into()
    }
}

/// A derived type and its random values.
macro_rules! arbitrary {
    ($type:ident: $($value:expr),+; $random:ident) => {
        impl Arbitrary for $type {
            fn arbitrary($random: &mut Random) -> Self {
                #[allow(unused_variables, reason = "variants without fields")]
                let values: &[fn(&mut Random) -> $type] = &[$(|$random| $value),+];
                values[$random.below(values.len())]($random)
            }
        }
    };
}

macro_rules! any {
    ($random:ident) => {
        Arbitrary::arbitrary($random)
    };
}

/// A variant of each kind, whose members differ in JSON only by their marks.
#[derive(Debug, Term)]
enum Mixed {
    Get,
    Infinity,
    Undefined,
    True,
    Add(u64),
    #[term(tag = "add")]
    AddAll(Vec<i64>, String),
    #[term(tag = "")]
    Empty(u8),
    #[term(record)]
    Point {
        x: f64,
        y: Option<String>,
    },
    #[term(tuple)]
    Pair(u8, Term),
    #[term(untagged)]
    Text(String),
    #[term(untagged)]
    Whole(i64),
    #[term(untagged)]
    Fraction(f64),
    #[term(untagged)]
    Letters(ErlangString),
    #[term(untagged)]
    Fields(Box<Fields>),
    #[term(untagged)]
    Process(Pid),
}

arbitrary! { Mixed:
    Mixed::Get, Mixed::Infinity, Mixed::Undefined, Mixed::True, Mixed::Add(any!(random)),
    Mixed::AddAll(any!(random), any!(random)), Mixed::Empty(any!(random)),
    Mixed::Point { x: any!(random), y: any!(random) }, Mixed::Pair(any!(random), any!(random)),
    Mixed::Text(any!(random)), Mixed::Whole(any!(random)), Mixed::Fraction(any!(random)),
    Mixed::Letters(any!(random)), Mixed::Fields(Box::new(any!(random))),
    Mixed::Process(any!(random)); random
}

#[derive(Debug, Term)]
struct Fields {
    id: Term,
    #[term(key = "$type")]
    kind: Option<Atom>,
    #[term(optional)]
    limit: Option<NonZeroU64>,
    #[term(optional, key = "@text")]
    texts: Option<BTreeMap<String, Binary>>,
    ratings: Map<Term, u8>,
    tags: Map<Atom, f64>,
    pairs: Vec<(atoms::ok, Option<String>)>,
    every: Timeout,
    bits: Bitstring,
    letter: Char,
}

arbitrary! { Fields:
    Fields {
        id: any!(random), kind: any!(random), limit: any!(random), texts: any!(random),
        ratings: any!(random), tags: any!(random), pairs: any!(random), every: any!(random),
        bits: any!(random), letter: any!(random),
    }; random
}

/// A type that contains itself, has a parameter, and has one field with a hand-written `ToTerm`.
#[derive(Debug, Term)]
enum Tree<T> {
    Leaf,
    Node(Box<Tree<T>>, T, Vec<Tree<T>>),
    #[term(untagged)]
    Handwritten(Handwritten),
}

impl<T: Arbitrary> Arbitrary for Tree<T> {
    fn arbitrary(random: &mut Random) -> Self {
        match random.below(4) {
            0 => Tree::Node(any!(random), any!(random), Vec::new()),
            1 => Tree::Node(Box::new(Tree::Leaf), any!(random), vec![any!(random)]),
            2 => Tree::Handwritten(Handwritten(any!(random))),
            _ => Tree::Leaf,
        }
    }
}

#[derive(Debug)]
struct Handwritten(u8);

impl otp_bridge::term::ErlangType for Handwritten {
    fn erlang_type() -> String {
        "byte()".to_owned()
    }
}

impl ToTerm for Handwritten {
    fn to_term<H: otp_bridge::term::Heap>(&self, heap: H) -> H::Term {
        self.0.to_term(heap)
    }
}

impl FromTerm for Handwritten {
    fn from_term<'a, V: otp_bridge::term::View<'a>>(
        view: V,
    ) -> Result<Self, otp_bridge::term::DecodeError> {
        u8::from_term(view).map(Handwritten)
    }
}

/// Keys that are not known are kept.
#[derive(Debug, Term)]
struct Open {
    id: u8,
    #[term(optional)]
    name: Option<String>,
    #[term(rest)]
    others: Map<Term, bool>,
}

arbitrary! { Open:
    Open { id: any!(random), name: any!(random), others: any!(random) }; random
}

fn check<T: JsonRepresentation + Arbitrary + Debug>() {
    let validator = validator::<T>();
    let mut random = Random::new(std::any::type_name::<T>().len() as u64);
    for _ in 0..400 {
        there_and_back(&validator, T::arbitrary(&mut random));
    }
}

#[test]
fn values_of_derived_types() {
    check::<Mixed>();
    check::<Fields>();
    check::<Vec<Mixed>>();
    check::<Tree<String>>();
    check::<Tree<Option<Atom>>>();
    check::<Open>();
}

#[test]
fn values_of_the_crates_types() {
    check::<(String, Option<String>)>();
    check::<Option<Vec<Atom>>>();
    check::<Map<String, Binary>>();
    check::<BTreeMap<bool, i8>>();
    check::<HashMap<String, i8>>();
    check::<HashMap<(u8, Atom), VecDeque<i8>>>();
    check::<Map<(u8, Atom), f64>>();
    check::<(Integer, (i128, u64))>();
    check::<(Number, (Iodata, Fun))>();
    check::<(Reference, Port)>();
    check::<(u32, Box<i8>)>();
}

#[test]
fn what_is_off_is_refused_by_code_and_schema() {
    fn refused<T: JsonRepresentation + Debug>(texts: &[&str]) {
        let validator = validator::<T>();
        for text in texts {
            let json = serde_json::from_str(text).expect("JSON");
            assert!(!validator.is_valid(&json), "{text} is of the schema");
            let read = T::from_json(&json, Position::Alone);
            assert!(read.is_err(), "{text} is {read:?}");
        }
    }
    refused::<Mixed>(&[
        r#""got""#,
        r#"{"$add": []}"#,
        r#"{"$add": ["5"]}"#,
        r#"{"$add": [5, "x", 1]}"#,
        r#"{"$": [256, 1]}"#,
        r#"{"@base64": "/w=="}"#,
        r#"{"@integer": "1.5"}"#,
        "{}",
    ]);
    refused::<Ranged<u8, 1, 100>>(&["0", "101", "null", "1.5", r#"{"@integer": "-1"}"#]);
    let tuples = [
        r#"{"$": ["no", 1]}"#,
        r#"{"$no": [1]}"#,
        r#"{"$ok": [256]}"#,
    ];
    refused::<(atoms::ok, u8)>(&tuples);
    refused::<Map<Binary, u8>>(&[r#"{"k": 1}"#]);
    refused::<Map<u8, u8>>(&[r#"{"k": 1}"#, r#"{"1": 1}"#]);
    refused::<Map<atoms::ok, u8>>(&[r#"{"k": 1}"#]);
    refused::<Map<bool, u8>>(&[r#"{"k": 1}"#]);
    refused::<Map<Atom, u8>>(&[r#"{"$add": 1}"#, r#"{"a": -1}"#, r#"[]"#]);
}
