//! `From` implementations that Rust can see to be disjoint, and tuples of one element.

mod support;

use otp_codegen::schema::schema;
use otp_codegen::{Overrides, generate};
use support::{module_named, options, rust};

/// The number of written-out `From` implementations of `item` for a type that contains `text`.
fn written(rust: &str, item: &str, text: &str) -> usize {
    let rust = rust.split_whitespace().collect::<Vec<_>>().join(" ");
    let found = rust.split("impl").filter(|part| {
        let head = part.split('{').next().unwrap_or_default();
        head.contains(&format!("for {item}")) && head.contains(text)
    });
    found.count()
}

#[test]
fn single_tuple_in_a_union_keeps_its_comma() {
    for (forms, item, tuple) in [
        (
            "-type t() :: {binary()}. -type u() :: t() | foo.",
            "U",
            "(Value1,)",
        ),
        (
            "-type t() :: {atom(), {binary()}}. -type u() :: t() | foo.",
            "U",
            ",)",
        ),
        (
            "-type t() :: {ok, {1 | 2}} | b. -type u() :: t() | foo.",
            "U",
            ",)",
        ),
        (
            "-type t() :: {a} | b. -type u() :: t() | foo.",
            "U",
            "(atoms::a,)",
        ),
        (
            "-type t() :: {a} | b. -type u() :: t() | foo. -type v() :: u() | 1.",
            "V",
            "(atoms::a,)",
        ),
    ] {
        let rust = rust(forms);
        assert_eq!(written(&rust, item, tuple), 1, "{forms}\n{rust}");
    }
}

#[test]
fn tuple_with_a_caller_converts_once() {
    let forms = "-type t() :: {reference(), gen_server:from()}.\n\
                 -type u() :: {binary(), gen_server:from()}.";
    let rust = rust(forms);
    for item in ["T", "U"] {
        let derived = rust
            .split(&format!("pub struct {item}("))
            .next()
            .unwrap_or_default();
        let derives = derived.rsplit("#[derive(").next().unwrap_or_default();
        assert!(!derives.contains("Construct"), "{rust}");
        // Without the derive, its attributes are unknown to the compiler.
        assert!(!rust.contains("#[from"), "{rust}");
        assert_eq!(written(&rust, item, "rt::Caller"), 1, "{rust}");
    }
}

#[test]
fn union_of_only_a_tuple_with_a_caller_has_no_attribute_of_the_derive() {
    let forms =
        "-type t() :: {binary(), gen_server:from()} | {binary(), binary(), gen_server:from()}.";
    let rust = rust(forms);
    assert!(
        !rust.contains("rt::Construct") && !rust.contains("#[from"),
        "{rust}"
    );
}

#[test]
fn foreign_union_may_convert_from_any_atom() {
    let statem = support::module_named(
        "gen_statem",
        "-type action() :: postpone | start() | change().\n\
         -type start() :: {timeout, generic_timeout(), term()}.\n\
         -type change() :: {timeout, update, term()} | {timeout, cancel}.\n\
         -type generic_timeout() :: non_neg_integer() | infinity.",
    );
    let user = support::module("-type t() :: none | gen_statem:action().");
    let conversions = |is_foreign: bool| {
        let mut options = support::options();
        let key = ("gen_statem".to_owned(), "GenericTimeout".to_owned());
        options.provided.clear();
        if is_foreign {
            options.provided.insert(key, String::new());
        }
        let output = otp_codegen::generate(&[user.clone(), statem.clone()], &options);
        let rust = output.files.get("m.rs").expect("the module's file");
        rust.matches("atoms::update").count()
    };
    assert_eq!((conversions(false), conversions(true)), (1, 0));
}

/// Two types are alternatives of each other: an enum that contains itself has no size and no kind.
#[test]
fn types_of_two_modules_that_are_alternatives_of_each_other() {
    let modules = [
        module_named(
            "one",
            "-type t(A) :: {x, A} | other:t(A) | b. -type alone() :: other:alone().",
        ),
        module_named(
            "other",
            "-type t(B) :: {y, B} | one:t(B). -type alone() :: one:alone().",
        ),
    ];
    let output = generate(&modules, &options());
    let unresolved = output.diagnostics.iter().map(|one| one.item.as_str());
    assert_eq!(unresolved.collect::<Vec<_>>(), ["alone/0"; 2]);
    for (file, variants) in [
        ("one.rs", ["X(A),", "Y(A),", "    B,"]),
        ("other.rs", ["Y(B),", "X(B),", "    B,"]),
    ] {
        let text = output.files.get(file).expect("the module's file");
        for line in variants.into_iter().chain(["pub type Alone = rt::Term;"]) {
            assert!(text.contains(line), "{file}: {line}\n{text}");
        }
    }
    let schema = schema(&modules, &Overrides::default(), "one", "t", None).expect("the type");
    let definitions = schema.document["$defs"].as_object().expect("definitions");
    assert!(!definitions.keys().any(|name| name.starts_with("other")));
}

/// A parameter that is an alternative makes a type that is its argument one, too.
#[test]
fn type_that_is_its_own_alternative_through_a_parameter() {
    let rust = rust(
        "-type step(T) :: {step, T} | T.\n\
         -type steps() :: step(steps()) | done.\n\
         -type twice() :: step(step(twice())) | done.",
    );
    for line in [
        "    Step(Box<Steps>),",
        "    Done,",
        "    Step(#[from(into)] StepOrTwice),",
    ] {
        assert!(rust.contains(line), "{line}\n{rust}");
    }
}

/// `ec_dictionary` and `emqx_config_handler`, reduced. `tests/corpus/parameters.erl` is compiled.
#[test]
fn type_parameters_hide_neither_types_nor_the_prelude() {
    let rust = rust(
        "-type value(V) :: {value, V}.\n-type value1() :: a | b.\n\
         -type t() :: {x, term(), value1()} | none.\n-type own(Own) :: {own, Own} | none.\n\
         -callback all() -> [value(any())].\n\
         -callback changed() -> ok | {ok, Result :: any()} | {both, Value1 :: any(), value1()}.",
    );
    let rust = rust.split_whitespace().collect::<Vec<_>>().join(" ");
    for head in [
        "pub enum Own<OwnType> {",
        "impl<Value_: AllReturn> AllReturn for Result<Value_, rt::Exit>",
        "impl<ResultValue: rt::ToTerm> ChangedReturn for (atoms::ok, ResultValue)",
        "impl<Value1Value: rt::ToTerm> ChangedReturn for (atoms::both, Value1Value, Value1)",
    ] {
        assert!(rust.contains(head), "{head}\n{rust}");
    }
    assert!(!rust.contains("<Value1:"), "{rust}");
}
