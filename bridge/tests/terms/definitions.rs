//! `-type` definitions of derived types, which the installed Erlang compiles.

use otp_bridge::term::{Definitions, ErlangType, Map, erlang_definitions};
use otp_bridge::{Term, Timeout, supervisor};
use otp_bridge::{gen_event, gen_server, gen_statem};

use crate::oracle::{Question, ask};

/// Returns the definitions of some types in one module, and the messages of Erlang's compiler.
fn compiled(types: &Definitions) -> String {
    let exported: Vec<String> = types
        .iter()
        .map(|definition| {
            let text = definition.to_string();
            let name = text
                .strip_prefix("-type ")
                .and_then(|text| text.split_once("() :: "))
                .map(|(name, _)| name.to_owned());
            name.expect("a name") + "/0"
        })
        .collect();
    let module = format!("-export_type([{}]).\n{types}", exported.join(", "));
    let answers = ask(Question::Compile, &[module.into_bytes()]);
    String::from_utf8_lossy(&answers[0]).into_owned()
}

fn accepted<T: ErlangType>() -> String {
    let types = erlang_definitions::<T>();
    assert_eq!(compiled(&types), "ok", "{types}");
    types.to_string()
}

#[derive(Term)]
enum Request {
    Get,
    Add(i64),
    #[term(tag = "two words")]
    Put(Vec<Item>, Option<Item>),
    Walk(Tree<Item>),
    #[term(untagged)]
    Other(Map<String, Page<Item>>),
}

#[derive(Term)]
struct Item {
    price: u64,
    #[term(optional)]
    until: Option<Timeout>,
}

#[derive(Term)]
enum Tree<T> {
    Leaf,
    Node(Box<Tree<T>>, T, Box<Tree<T>>),
}

#[derive(Term)]
#[term(record)]
struct Page<T> {
    items: Vec<T>,
    next: Option<Box<Page<T>>>,
}

#[test]
fn all_that_a_type_refers_to_is_defined_once() {
    insta::assert_snapshot!(accepted::<Request>(), @r#"
    -type request() :: get | {add, integer()} | {'two words', [item()], undefined | item()} | {walk, tree_item()} | #{binary() => page_item()}.
    -type item() :: #{price := non_neg_integer(), until => timeout()}.
    -type tree_item() :: leaf | {node, tree_item(), item(), tree_item()}.
    -type page_item() :: {page, [item()], undefined | page_item()}.
    "#);
    // Outside of definitions these types are expanded.
    insta::assert_snapshot!(<Vec<Item>>::erlang_type(), @"[#{price := non_neg_integer(), until => timeout()}]");
}

mod orders {
    pub(super) mod paid {
        use otp_bridge::Term;

        #[derive(Term)]
        pub(in super::super) struct Item(pub u8);
    }

    use otp_bridge::Term;

    #[derive(Term)]
    pub(super) struct Item(pub bool);
}

/// Names that Erlang has itself, or reserves.
#[derive(Term)]
#[term(tuple)]
struct Node(Char, End, Fun);

#[derive(Term)]
struct Char;

#[derive(Term)]
struct End;

#[derive(Term)]
struct Fun;

#[test]
fn types_of_one_name_take_their_modules_names() {
    type All = (
        Item,
        orders::Item,
        orders::paid::Item,
        Tree<u8>,
        Tree<orders::Item>,
    );
    insta::assert_snapshot!(accepted::<All>(), @"
    -type item() :: #{price := non_neg_integer(), until => timeout()}.
    -type orders_item() :: {item, boolean()}.
    -type paid_item() :: {item, 0..255}.
    -type tree_u8() :: leaf | {node, tree_u8(), 0..255, tree_u8()}.
    -type tree_item() :: leaf | {node, tree_item(), orders_item(), tree_item()}.
    ");
    insta::assert_snapshot!(accepted::<Node>(), @"
    -type definitions_node() :: {definitions_char(), 'end'(), definitions_fun()}.
    -type definitions_char() :: char.
    -type 'end'() :: 'end'.
    -type definitions_fun() :: 'fun'.
    ");
}

#[test]
fn a_name_can_be_kept_free() {
    let mut types = Definitions::new();
    types.reserve("item");
    assert_eq!(types.text::<[Item]>(), "[definitions_item()]");
}

#[test]
fn definitions_are_added_to_those_that_are_there() {
    let mut types = Definitions::new();
    assert_eq!(types.text::<Vec<Item>>(), "[item()]");
    assert_eq!(types.text::<Tree<Item>>(), "tree_item()");
    assert_eq!(types.text::<Item>(), "item()");
    let names: Vec<&str> = types
        .iter()
        .map(otp_bridge::term::Definition::name)
        .collect();
    assert_eq!(names, ["item", "tree_item"]);
}

#[derive(Term)]
struct Tower<T>(T);

#[test]
fn a_name_never_grows_without_end() {
    type Two<T> = Tower<(Vec<T>, Option<Vec<T>>)>;
    type Four<T> = Two<Two<T>>;
    let types = erlang_definitions::<Four<Four<Item>>>();
    assert!(types.iter().all(|it| it.name().len() <= 70), "{types}");
    assert_eq!(compiled(&types), "ok", "{types}");
}

#[test]
fn erlang_compiles_the_definitions_of_otps_own_types() {
    type Behaviours = (
        (
            gen_server::ServerRef,
            gen_server::StartOpt,
            gen_server::StartMonRet,
        ),
        (
            gen_statem::Action,
            gen_statem::FormatStatus,
            gen_statem::CallbackModeResult,
        ),
        (gen_event::DelHandlerRet, gen_event::DebugFlag),
        (
            supervisor::ChildSpec,
            supervisor::SupFlags,
            supervisor::StartlinkRet,
        ),
    );
    let text = accepted::<Behaviours>();
    for line in [
        "-type server_ref() :: ",
        "-type action() :: ",
        "-type child_spec() :: ",
    ] {
        assert_eq!(text.matches(line).count(), 1, "{line} in\n{text}");
    }
}

#[test]
fn a_failure_while_writing_leaves_nothing_behind() {
    struct Broken;

    impl ErlangType for Broken {
        fn erlang_type() -> String {
            panic!("no text")
        }
    }

    let mut types = Definitions::new();
    types.text::<Item>();
    let failed =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| types.text::<Vec<Broken>>()));
    assert!(failed.is_err());
    assert_eq!(types.text::<Item>(), "item()");
    assert!(
        Item::erlang_type().starts_with("#{price"),
        "spelt out again"
    );
}

/// Erlang accepts the texts of all of this crate's own types.
#[test]
fn erlang_compiles_the_text_of_every_type() {
    use std::collections::{BTreeMap, HashMap, VecDeque};
    use std::num::NonZero;

    use otp_bridge::process::Class;
    use otp_bridge::term::*;
    use otp_bridge::*;

    #[derive(ToTerm)]
    #[allow(dead_code)]
    struct Of<T>(T);

    type Integers = (
        (i8, u8, i16, u16, i32, u32, i64, u64),
        (i128, u128, isize, usize),
        (NonZero<i8>, NonZero<u8>, NonZero<i64>, NonZero<u64>),
        (Integer, Literal<-5>, Literal<{ i128::MAX }>, NegInteger),
        (Ranged<i8, -5, 5>, Ranged<u8, 3, 3>, Number),
    );
    type Lists = (
        (Nil, Vec<Atom>, NonemptyList<Pid>, NonemptyString, [Port; 2]),
        (Iodata, Iolist, ErlangString),
        (
            MaybeImproperList<Reference, u8>,
            NonemptyImproperList<Timeout, Nil>,
        ),
        (&'static str, String, Binary, Bitstring),
        (Bits<3, 0>, Bits<0, 8>, Bits<16, 7>, Bits<0, 0>),
    );
    type Others = (
        (bool, char, Char, f32, f64, Float, Never),
        (EmptyMap, (), Tuple, Identifier, Fun, Term),
        (Map<String, Option<Box<u8>>>, BTreeMap<u8, (u8,)>),
        (HashMap<String, Option<u8>>, VecDeque<(u8,)>),
        (
            FunOf<fn() -> u8>,
            FunOf<fn(u8, bool) -> Option<u8>>,
            FunOf<AnyArguments<u8>>,
        ),
        (
            gen_server::Caller<u8>,
            gen_server::Server<u8>,
            gen_event::Manager,
        ),
        (gen_statem::Machine<u8>, DecodeError, Class),
    );
    for text in [
        accepted::<Of<Integers>>(),
        accepted::<Of<Lists>>(),
        accepted::<Of<Others>>(),
    ] {
        assert!(text.contains(" :: {'of', {{"), "{text}");
    }
}
