//! Checks that reading a term takes steps in proportion to its size, for all unions in its type.

use std::fmt::Debug;

use otp_bridge::term::MAX_DEPTH;
use otp_bridge::term::etf;
use otp_bridge::term::{Binary, Iodata, Map, OrNil};
use otp_bridge::{FromTerm, Term, ToTerm, atoms};

use crate::counting::read;
use crate::generate::{atom, integer, list, map, tuple};

atoms! { done, l, r, x, y }

/// `-type x() :: {x, x(), l} | {x, x(), r} | done.`
#[derive(Debug, PartialEq, Term)]
enum Sided {
    #[term(tuple)]
    Left(x, Box<Sided>, l),
    #[term(tuple)]
    Right(x, Box<Sided>, r),
    Done,
}

/// `-type x() :: {x, {y, x(), l}} | {x, {y, x(), r}} | done.`
#[derive(Debug, PartialEq, Term)]
enum Deeper {
    #[term(tuple)]
    Left(x, (y, Box<Deeper>, l)),
    #[term(tuple)]
    Right(x, (y, Box<Deeper>, r)),
    Done,
}

/// The members differ at the end of lists, and behind names for unions.
#[derive(Debug, PartialEq, Term)]
enum Listed {
    #[term(untagged)]
    Left(Vec<Either<Box<Listed>, l>>),
    #[term(untagged)]
    Right(Vec<Either<Box<Listed>, r>>),
    Done,
}

#[derive(Debug, PartialEq, Term)]
enum Either<A, B> {
    #[term(untagged)]
    One(A),
    #[term(untagged)]
    Other(B),
}

/// Maps with the same keys, distinguished by the value that is read last.
#[derive(Debug, PartialEq, Term)]
enum Mapped {
    #[term(untagged)]
    Left(Entry<l>),
    #[term(untagged)]
    Right(Entry<r>),
    #[term(untagged)]
    Any(Map<Nested, Nested>),
    Done,
}

#[derive(Debug, PartialEq, Term)]
struct Entry<Side> {
    inner: Box<Mapped>,
    wrapped: (Wrapped<Side>,),
}

#[derive(Debug, PartialEq, Term)]
struct Wrapped<Side>(Side);

/// `-type t() :: {ok, {t(), l}} | {ok, {t(), r}} | done.`
#[derive(Debug, PartialEq, Term)]
enum Answered {
    #[term(untagged)]
    Left(Result<(Box<Answered>, l), l>),
    #[term(untagged)]
    Right(Result<(Box<Answered>, r), r>),
    Done,
}

/// `-type t() :: {nil | t(), l} | {nil | t(), r} | done.`
#[derive(Debug, PartialEq, Term)]
enum Elixir {
    #[term(tuple)]
    Left(OrNil<Box<Elixir>>, l),
    #[term(tuple)]
    Right(OrNil<Box<Elixir>>, r),
    Done,
}

/// `-type t() :: {undefined | t(), l} | {undefined | t(), r} | done.`
#[derive(Debug, PartialEq, Term)]
enum Optional {
    #[term(tuple)]
    Left(Option<Box<Optional>>, l),
    #[term(tuple)]
    Right(Option<Box<Optional>>, r),
    Done,
}

/// `-type u() :: [u()] | iodata().`
#[derive(Debug, PartialEq, Term)]
enum Nested {
    #[term(untagged)]
    List(Vec<Nested>),
    #[term(untagged)]
    Iodata(Iodata),
}

/// Tuples, each with a tag.
#[derive(Debug, PartialEq, Term)]
enum Tagged {
    First(u8),
    Second(u8),
    Third(u8, u8),
    Fourth(u8),
    Fifth(u8, u8),
    Sixth(u8),
    Last(u8),
    Atom,
}

/// Terms of many kinds. Each kind belongs to one member.
#[derive(Debug, PartialEq, Term)]
enum Kinds {
    #[term(untagged)]
    Number(i64),
    #[term(untagged)]
    List(Vec<u8>),
    #[term(untagged)]
    Binary(Binary),
    #[term(untagged)]
    Map(Map<u8, u8>),
    #[term(tuple)]
    Pair(u8, u8),
}

/// Returns the number of steps for a term of `depth` levels, which is read successfully if `ok`.
fn steps<T: FromTerm + Debug>(
    depth: usize,
    ok: bool,
    leaf: Term,
    grow: impl Fn(Term) -> Term,
) -> u64 {
    let term = (0..depth).fold(leaf, |inner, _| grow(inner));
    let (value, steps) = read::<T>(&term);
    match (value, ok) {
        (Ok(_), true) | (Err(_), false) => steps,
        (value, _) => panic!("{depth} levels: {value:?}"),
    }
}

/// Checks that four times the depth takes four times as many steps, and no more than a few dozen
/// per level.
fn assert_linear<T: FromTerm + Debug>(ok: bool, leaf: &Term, grow: impl Fn(Term) -> Term) {
    let [short, long] = [250, 1000].map(|depth| steps::<T>(depth, ok, leaf.clone(), &grow));
    assert!(long <= short * 41 / 10 + 100, "{short} and {long} steps");
    assert!(long <= 1000 * 120, "{long} steps");
}

fn sided(side: &str) -> impl Fn(Term) -> Term {
    move |inner| tuple([atom("x"), inner, atom(side)])
}

fn deeper(side: &str) -> impl Fn(Term) -> Term {
    move |inner| tuple([atom("x"), tuple([atom("y"), inner, atom(side)])])
}

fn mapped(side: &str) -> impl Fn(Term) -> Term {
    move |inner| {
        let wrapped = tuple([tuple([atom("wrapped"), atom(side)])]);
        map([(atom("inner"), inner), (atom("wrapped"), wrapped)])
    }
}

#[test]
fn a_member_is_chosen_without_reading_each_part_again_on_each_level() {
    for leaf in [atom("done"), atom("wrong")] {
        let ok = leaf == atom("done");
        for side in ["l", "r"] {
            assert_linear::<Sided>(ok, &leaf, sided(side));
            assert_linear::<Deeper>(ok, &leaf, deeper(side));
            assert_linear::<Listed>(ok, &leaf, |inner| list([inner, atom(side)]));
            assert_linear::<Mapped>(ok, &leaf, mapped(side));
            assert_linear::<Answered>(ok, &leaf, |inner| {
                tuple([atom("ok"), tuple([inner, atom(side)])])
            });
            let pair = |inner| tuple([inner, atom(side)]);
            assert_linear::<Elixir>(ok, &leaf, pair);
            assert_linear::<Optional>(ok, &leaf, pair);
        }
    }
}

#[test]
fn a_tuple_is_told_by_its_tag_and_not_by_attempts() {
    let asked = |term: &Term| {
        let (value, steps) = read::<Tagged>(term);
        (value.expect("of this type"), steps)
    };
    let (first, fewest) = asked(&tuple([atom("first"), integer(1)]));
    let (last, most) = asked(&tuple([atom("last"), integer(1)]));
    assert_eq!((first, last), (Tagged::First(1), Tagged::Last(1)));
    // The tag is compared with five others of its size, and the tuple is not read again.
    assert!(most <= fewest + 5, "{fewest} and {most} steps");
    assert_eq!(asked(&atom("atom")).0, Tagged::Atom);
}

#[test]
fn members_of_other_kinds_are_not_tried() {
    let (value, steps) = read::<Kinds>(&tuple([integer(1), integer(2)]));
    assert_eq!(value, Ok(Kinds::Pair(1, 2)));
    // The steps: its kind; then its elements and their kinds, which the only remaining member
    // examines; then reading both.
    assert!(steps <= 8, "{steps} steps");
    let (value, steps) = read::<Kinds>(&atom("other"));
    let expected = "expected integer() | [0..255] | binary() | #{0..255 => 0..255} | {0..255, 0..255}, got other";
    assert_eq!(value.expect_err("an atom").to_string(), expected);
    assert!(steps < 40, "{steps} steps");
}

#[test]
fn a_list_that_may_be_bytes_is_not_read_on_each_level() {
    assert_linear::<Nested>(true, &list([]), |inner| list([inner, integer(1)]));
    assert_linear::<Nested>(false, &list([]), |inner| list([inner, atom("no_byte")]));
}

#[test]
fn a_mistake_is_found_as_fast_and_its_position_is_told() {
    let deep = (0..30).fold(integer(7), |inner, _| deeper("r")(inner));
    let (error, steps) = read::<Deeper>(&deep);
    let error = error.expect_err("not done");
    assert_eq!(error.path().len(), 60);
    assert!(error.to_string().ends_with("got 7"), "{error}");
    assert!(steps < 30 * 120, "{steps} steps");
}

#[test]
fn members_are_told_apart_by_what_lies_deep_in_them() {
    let term = deeper("r")(deeper("l")(atom("done")));
    let expected = Deeper::Right(
        x,
        (
            y,
            Box::new(Deeper::Left(x, (y, Box::new(Deeper::Done), l))),
            r,
        ),
    );
    assert_eq!(term.decode(), Ok(expected));
    let term = mapped("r")(mapped("l")(atom("done")));
    assert!(matches!(term.decode(), Ok(Mapped::Right(_))));
}

/// The tests' threads have stacks of 2 MiB.
#[test]
fn ten_thousand_levels_are_read_and_written_and_more_are_refused() {
    fn there_and_back<T: FromTerm + ToTerm>(depth: usize, leaf: Term, grow: impl Fn(Term) -> Term) {
        let term = (0..depth).fold(leaf, |inner, _| grow(inner));
        let value: T = term.decode().unwrap_or_else(|error| panic!("{error}"));
        assert!(Term::of(&value) == term);
        // Rust drops a value of the user's types by recursion.
        otp_bridge::term::on_large_stack(move || drop(value));
        let more = (0..MAX_DEPTH + 2).fold(term, |inner, _| grow(inner));
        let error = more.decode::<T>().err().expect("too deep").to_string();
        assert!(error.contains("a term of at most 16384 levels"), "{error}");
    }
    there_and_back::<Sided>(10_000, atom("done"), sided("r"));
    there_and_back::<Deeper>(5_000, atom("done"), deeper("r"));
    there_and_back::<Listed>(10_000, atom("done"), |inner| list([inner, atom("r")]));
    there_and_back::<Mapped>(10_000, atom("done"), mapped("r"));
}

/// Nothing that bridge does with an owned term overflows the stack.
#[test]
fn owned_terms_are_copied_compared_written_and_dropped_at_any_depth() {
    let nest = |depth: usize| {
        (0..depth).fold(atom("leaf"), |inner, level| match level % 4 {
            0 => tuple([inner]),
            1 => list([inner]),
            2 => map([(atom("key"), inner)]),
            _ => otp_bridge::term::ImproperList::term(vec![atom("a")], tuple([inner])),
        })
    };
    let deep = nest(10_000);
    assert_eq!(deep.clone(), deep);
    assert!(deep <= nest(10_000));
    assert_eq!(etf::decode(&etf::encode(&deep)).as_ref(), Ok(&deep));
    assert!(deep.to_string().len() > 10_000);
    drop(nest(1_000_000));
}

#[test]
fn text_and_binaries_are_read_once() {
    #[derive(Debug, PartialEq, Term)]
    enum Text {
        #[term(untagged)]
        Text(String),
        #[term(untagged)]
        Bytes(Binary),
    }
    let bytes = |bytes: &[u8]| Term::of(&Binary::from(bytes));
    assert_eq!(bytes(b"abc").decode(), Ok(Text::Text("abc".into())));
    assert_eq!(
        bytes(&[255]).decode(),
        Ok(Text::Bytes(Binary::from(vec![255])))
    );
}
