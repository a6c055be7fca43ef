//! Checks that unions whose members differ only at a deep level are read without trying each member
//! of each part again.
//!
//! The test counts steps instead of time: how often a part without parts of its own is read.

use std::cell::Cell;

use otp_bridge::json::{JsonRepresentation, Position};
use otp_bridge::term::{DecodeError, ErlangType, Heap, Map, View};
use otp_bridge::{Atom, FromTerm, Term, ToTerm, atom};
use serde_json::{Value, json};

thread_local! {
    static READ: Cell<u64> = const { Cell::new(0) };
}

/// `leaf`. Each reading is counted.
#[derive(Debug, PartialEq)]
struct Leaf;

impl ErlangType for Leaf {
    fn erlang_type() -> String {
        "leaf".to_owned()
    }
}

impl ToTerm for Leaf {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        atom!("leaf").to_term(heap)
    }
}

impl FromTerm for Leaf {
    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        if view.atom() == Some(atom!("leaf")) {
            Ok(Leaf)
        } else {
            Err(DecodeError::expected::<Self, V>(view))
        }
    }
}

impl JsonRepresentation for Leaf {
    fn from_json(json: &Value, _: Position) -> Result<Self, DecodeError> {
        READ.set(READ.get() + 1);
        match json.as_str() {
            Some("leaf") => Ok(Leaf),
            _ => Err(otp_bridge::json::derived::expected::<Self>(json)),
        }
    }
}

#[derive(Debug, PartialEq, Term)]
struct L;

#[derive(Debug, PartialEq, Term)]
struct R;

/// The distinguishing part of a member is in a tuple in it, behind the rest.
#[derive(Debug, PartialEq, Term)]
enum Tuples {
    #[term(untagged)]
    Left((Leaf, Box<Tuples>, (L,))),
    #[term(untagged)]
    Right((Leaf, Box<Tuples>, (R,))),
    Done,
}

/// The distinguishing part of a member is in a map. One of the maps has keys of any name.
#[derive(Debug, PartialEq, Term)]
enum Maps {
    #[term(untagged)]
    Left(Left),
    #[term(untagged)]
    Right(Right),
    Done,
}

#[derive(Debug, PartialEq, Term)]
struct Left {
    leaf: Leaf,
    next: Box<Maps>,
    side: (L,),
}

#[derive(Debug, PartialEq, Term)]
struct Right {
    leaf: Leaf,
    side: (R,),
    #[term(rest)]
    others: Map<Atom, Maps>,
}

/// Reads, and also returns how many leaves were read.
fn counted<T: JsonRepresentation>(json: &Value) -> (Result<T, DecodeError>, u64) {
    let before = READ.get();
    let read = T::from_json(json, Position::Alone);
    (read, READ.get() - before)
}

fn tuples(levels: usize, last: &str) -> Value {
    (0..levels).fold(json!("done"), |inner, level| {
        let side = if level == 0 { last } else { "$r" };
        json!({ "$": ["leaf", inner, { side: [] }] })
    })
}

/// Returns the limit: each of `levels` levels is read at most once for each one above it, as the
/// second member.
fn most(levels: u64) -> u64 {
    2 * levels * levels
}

#[test]
fn tuples_that_differ_deep_are_not_read_twice_as_often_on_each_level() {
    for levels in [1, 10, 100] {
        let (read, steps) = counted::<Tuples>(&tuples(levels, "$r"));
        assert_eq!(json_of(&read.expect("it is one")), tuples(levels, "$r"));
        assert!(steps <= most(levels as u64), "{levels}: {steps}");
    }
}

#[test]
fn what_is_wrong_deep_in_them_is_said_after_as_few_steps() {
    for levels in [1, 10, 100] {
        let (read, steps) = counted::<Tuples>(&tuples(levels, "$x"));
        let refused = read.expect_err("the last one is not one");
        assert!(refused.to_string().contains("got"), "{refused}");
        assert!(steps <= most(levels as u64), "{levels}: {steps}");
    }
}

fn json_of<T: JsonRepresentation>(value: &T) -> Value {
    value.to_json(Position::Alone)
}

#[test]
fn maps_that_differ_deep_are_not_read_twice_as_often_on_each_level() {
    for levels in [1_usize, 10, 60] {
        let value = (0..levels).fold(Maps::Done, |inner, _| {
            Maps::Right(Right {
                leaf: Leaf,
                side: (R,),
                others: [(atom!("next"), inner)].into_iter().collect(),
            })
        });
        let json = json_of(&value);
        let (read, steps) = counted::<Maps>(&json);
        assert_eq!(read.expect("it is one"), value);
        assert!(steps <= most(levels as u64), "{levels}: {steps}");
    }
}
