//! The term of each kind of value: the table of `docs/serde.md`.

use std::collections::{BTreeMap, HashMap};
use std::net::Ipv4Addr;

use otp_bridge::serde::{
    Elixir, Mapping, Null, Records, Serde, from_term, from_term_as, to_term, to_term_as,
};
use otp_bridge::{Term, atom};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct User {
    name: String,
    age: Option<u8>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Shape {
    Point,
    Circle(f64),
    Rectangle(u32, u32),
    Polygon { corners: Vec<(i8, i8)> },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Marker;

#[track_caller]
fn is<T: Serialize + ?Sized>(value: &T, erlang: &str) {
    assert_eq!(to_term(value).expect("it has a term").to_string(), erlang);
}

fn ada() -> User {
    User {
        name: "Ada".into(),
        age: None,
    }
}

#[test]
fn scalars_are_erlangs_own() {
    is(&true, "true");
    is(&-7_i8, "-7");
    is(&u128::MAX, "340282366920938463463374607431768211455");
    is(&i128::MIN, "-170141183460469231731687303715884105728");
    is(&0.5_f32, "0.5");
    is(&'x', "<<\"x\">>");
    is("text", "<<\"text\">>");
    is(&[1_u8, 2], "{1,2}");
    is(&vec![1_u8, 2], "[1,2]");
    is(&(), "{}");
    is(&Marker, "'Marker'");
    is(&Some(3), "3");
    is(&None::<u8>, "undefined");
    is(&Ipv4Addr::LOCALHOST, "<<\"127.0.0.1\">>");
}

#[test]
fn enums_are_atoms_and_tagged_tuples() {
    is(&Shape::Point, "point");
    is(&Shape::Circle(1.5), "{circle,1.5}");
    is(&Shape::Rectangle(2, 3), "{rectangle,2,3}");
    is(
        &Shape::Polygon {
            corners: vec![(0, 0), (1, -1)],
        },
        "{polygon,#{corners => [{0,0},{1,-1}]}}",
    );
    is(&Ok::<_, ()>(5), "{'Ok',5}");
}

#[test]
fn maps_have_any_keys_and_structs_have_atoms() {
    is(&ada(), "#{age => undefined,name => <<\"Ada\">>}");
    is(&BTreeMap::from([("k", 1)]), "#{<<\"k\">> => 1}");
    is(&BTreeMap::from([((1, 'a'), 1)]), "#{{1,<<\"a\">>} => 1}");
}

#[test]
fn what_can_be_chosen() {
    fn of<M: Mapping>() -> String {
        let term = to_term_as::<M, _>(&ada()).expect("it has a term");
        assert_eq!(from_term_as::<M, User>(&term), Ok(ada()));
        term.to_string()
    }
    assert_eq!(of::<Elixir>(), "#{age => nil,name => <<\"Ada\">>}");
    assert_eq!(of::<Null>(), "#{age => null,name => <<\"Ada\">>}");
    assert_eq!(of::<Records>(), "{'User',<<\"Ada\">>,undefined}");
}

#[test]
fn a_wrapped_value_is_a_term_as_others_are() {
    #[derive(Debug, PartialEq, Term)]
    struct Message(Serde<User>, Vec<Serde<Shape, Elixir>>);

    let message = Message(ada().into(), vec![Serde::new(Shape::Point)]);
    let term = Term::of(&message);
    assert_eq!(
        term.to_string(),
        "{message,#{age => undefined,name => <<\"Ada\">>},[point]}"
    );
    assert_eq!(term.decode::<Message>(), Ok(message));
}

/// Names may be texts: an atom that the node does not have yet cannot be read as one.
#[test]
fn names_may_be_binaries_where_they_are_read() {
    let name = Term::of(&"name");
    let entries = [
        (name, Term::of(&"Ada")),
        (Term::of(&5), Term::of(&atom!("unknown"))),
    ];
    let map = Term::Map(entries.into_iter().collect());
    assert_eq!(from_term::<User>(&map), Ok(ada()));
    let circle = Term::of(&("circle", 2.0));
    assert_eq!(from_term::<Shape>(&circle), Ok(Shape::Circle(2.0)));
}

/// Serde buffers values that it cannot assign yet, and reads them again.
#[test]
fn flattened_and_untagged_types_are_read() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Flat {
        id: u32,
        #[serde(flatten)]
        user: User,
        #[serde(flatten)]
        others: HashMap<String, f64>,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Either {
        Number(i64),
        Text(String),
        User(User),
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "kind", content = "value")]
    enum Adjacent {
        Number(i64),
        Nothing,
    }
    let flat = Flat {
        id: 7,
        user: ada(),
        others: HashMap::from([("weight".to_owned(), 0.5)]),
    };
    let eithers = vec![
        Either::Number(-1),
        Either::Text("t".into()),
        Either::User(ada()),
    ];
    let adjacent = vec![Adjacent::Number(3), Adjacent::Nothing];
    let all = (flat, eithers, adjacent);
    let term = to_term(&all).expect("it has a term");
    assert_eq!(from_term(&term), Ok(all), "{term}");
    is(&Adjacent::Number(3), "#{kind => 'Number',value => 3}");
}
