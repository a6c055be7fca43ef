//! The shapes of types, as constants.

use otp_bridge::term::{Binary, Literal, Map, NonemptyList, Ranged, Tuple};
use otp_bridge::term::{Covers, Shape};
use otp_bridge::{Atom, FromTerm, Term, atoms};

atoms! { get }

#[derive(Term)]
struct Get;

#[derive(Term)]
struct Deposit(u64);

#[derive(Term)]
#[term(tag = "deposit")]
struct Small(u8);

/// `{1, leaf} | {T, T, node}`: the tag is not the first element.
#[derive(Term)]
enum Tree {
    #[term(tuple)]
    Leaf(Literal<1>, Leaf),
    #[term(tuple)]
    Node(Box<Tree>, Vec<Tree>, Node),
}

#[derive(Term)]
struct Leaf;

#[derive(Term)]
struct Node;

#[derive(Term)]
enum Any {
    Get,
    #[term(untagged)]
    Other(Term),
}

#[derive(Term)]
struct Named {
    name: Atom,
}

#[derive(Term)]
struct Sized {
    name: Atom,
    #[term(optional)]
    size: Option<u8>,
}

#[derive(Term)]
#[term(exact)]
struct Exact {
    name: Atom,
}

#[derive(Term)]
enum Nested<T> {
    #[term(tuple)]
    Pair(T, T),
    Deeper(Box<Nested<T>>),
}

const fn covers<A: FromTerm, B: FromTerm>() -> Covers {
    A::SHAPE.covers(&B::SHAPE)
}

// The compiler evaluates all of this.
const _: () = {
    assert!(matches!(covers::<Get, get>(), Covers::Yes));
    assert!(matches!(Get::SHAPE.equals(&get::SHAPE), Covers::Yes));
    assert!(matches!(covers::<Deposit, Small>(), Covers::Yes));
    assert!(matches!(covers::<Small, Deposit>(), Covers::No));
    assert!(Get::SHAPE.excludes(&Deposit::SHAPE));
};

#[test]
fn a_broad_type_covers_a_narrow_one_and_not_the_other_way_round() {
    assert_eq!(covers::<Term, Deposit>(), Covers::Yes);
    assert_eq!(covers::<Deposit, Term>(), Covers::No);
    assert_eq!(covers::<Any, Get>(), Covers::Yes);
    assert_eq!(covers::<Atom, Get>(), Covers::Yes);
    assert_eq!(covers::<Tuple, Deposit>(), Covers::Yes);
    assert_eq!(covers::<(Atom, Term), Deposit>(), Covers::Yes);
    assert_eq!(covers::<(Atom, Term, Term), Deposit>(), Covers::No);
    assert_eq!(covers::<i64, Ranged<u8, 1, 10>>(), Covers::Yes);
    assert_eq!(covers::<bool, Atom>(), Covers::No);
    assert_eq!(covers::<Option<u8>, u8>(), Covers::Yes);
    assert_eq!(covers::<Binary, String>(), Covers::Yes);
}

#[test]
fn what_lies_deeper_is_not_known() {
    assert_eq!(covers::<String, Binary>(), Covers::Unknown);
    assert_eq!(covers::<Vec<Vec<u8>>, Vec<Vec<u8>>>(), Covers::Unknown);
    assert_eq!(covers::<NonemptyList<u8>, Vec<u8>>(), Covers::Unknown);
    assert_eq!(
        covers::<Map<u8, String>, Map<u8, String>>(),
        Covers::Unknown
    );
    assert_eq!(covers::<Deposit, (Atom, Vec<u8>)>(), Covers::No);
}

#[test]
fn lists_and_maps_are_compared_by_their_contents() {
    assert_eq!(covers::<Vec<Term>, Vec<u64>>(), Covers::Yes);
    assert_eq!(covers::<Vec<u8>, Vec<u64>>(), Covers::No);
    assert_eq!(covers::<Vec<u8>, NonemptyList<u8>>(), Covers::Yes);
    assert_eq!(covers::<Vec<Term>, [u8; 2]>(), Covers::Yes);
    assert_eq!(covers::<[u8; 0], Vec<u8>>(), Covers::No);
    assert!(Vec::<u8>::SHAPE.excludes(&Deposit::SHAPE));
    assert!(!Vec::<u8>::SHAPE.excludes(&Vec::<Atom>::SHAPE));
    assert_eq!(covers::<Map<Term, Term>, Map<u8, u8>>(), Covers::Yes);
    assert_eq!(covers::<Map<u8, u8>, Map<u8, u64>>(), Covers::No);
    assert_eq!(covers::<Map<Term, Term>, Named>(), Covers::Yes);
    assert_eq!(covers::<Map<Atom, Term>, Named>(), Covers::No);
    assert_eq!(covers::<Map<Atom, Term>, Exact>(), Covers::Yes);
    assert_eq!(covers::<Named, Map<Term, Term>>(), Covers::No);
    assert!(Map::<u8, u8>::SHAPE.excludes(&Named::SHAPE));
}

#[test]
fn tags_are_seen_wherever_they_are() {
    let Shape::Union(members) = Tree::SHAPE else {
        panic!("a union")
    };
    assert!(members[0].excludes(&members[1]));
    assert!(Tree::SHAPE.excludes(&<(u8, u8)>::SHAPE));
    assert!(!Tree::SHAPE.excludes(&<(u8, Leaf)>::SHAPE));
    assert!(Tree::SHAPE.excludes(&<(Literal<2>, Leaf)>::SHAPE));
    assert!(!Tree::KIND.excludes(&<(Literal<2>, Leaf)>::SHAPE));
}

#[test]
fn a_map_with_fewer_keys_covers_one_with_more() {
    assert_eq!(covers::<Named, Sized>(), Covers::Yes);
    assert_eq!(covers::<Sized, Named>(), Covers::No);
    assert_eq!(covers::<Named, Exact>(), Covers::Yes);
    assert_eq!(covers::<Exact, Named>(), Covers::No);
    assert_eq!(covers::<Sized, Exact>(), Covers::Yes);
}

#[test]
fn types_with_parameters_have_the_shapes_of_their_arguments() {
    assert!(Nested::<u8>::SHAPE.excludes(&<(Atom, Atom, Atom)>::SHAPE));
    assert_eq!(covers::<Nested<Term>, (u8, u8)>(), Covers::Yes);
    assert_eq!(covers::<Nested<u8>, (Atom, Atom)>(), Covers::No);
}

#[test]
fn a_result_without_a_value_is_an_atom_or_an_error() {
    const NOTHING: Shape = Result::<(), u8>::SHAPE;
    assert_eq!(NOTHING.covers(&Shape::Atom("ok")), Covers::Yes);
    assert_eq!(NOTHING.covers(&Result::<u8, u8>::SHAPE), Covers::No);
    assert!(Result::<(), u8>::KIND.excludes(&Shape::Atom("error")));
    assert!(!Result::<(), u8>::KIND.excludes(&Shape::Tuples(2)));
    assert!(Result::<u8, u8>::KIND.excludes(&Shape::Atom("ok")));
}
