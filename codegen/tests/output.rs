//! What holds for every output: it depends on its input alone, and nothing makes it fail.

mod support;

use otp_codegen::{Reason, check, generate};
use otp_specs::types::{Builtin, Module, Type};
use support::*;

fn two_modules() -> Vec<Module> {
    let a = Module {
        types: vec![definition(
            "t",
            &[],
            union(vec![atom("a"), remote("b", "t", vec![])]),
            "-type t() :: a | b:t().",
        )],
        ..module("a")
    };
    let b = Module {
        types: vec![definition(
            "t",
            &[],
            tuple(vec![atom("b"), remote("a", "t", vec![])]),
            "-type t() :: {b, a:t()}.",
        )],
        ..module("b")
    };
    vec![a, b]
}

#[test]
fn the_order_of_modules_does_not_matter() {
    let modules = two_modules();
    let reversed: Vec<Module> = modules.iter().rev().cloned().collect();
    for options in [options(), inside()] {
        let first = generate(&modules, &options);
        assert_eq!(first, generate(&reversed, &options));
        assert_eq!(check(&first.files, &generate(&modules, &options).files), []);
    }
}

#[test]
fn types_of_other_modules_are_paths_when_generated_together() {
    let output = generate(&two_modules(), &options());
    assert_eq!(output.report.fallbacks(), 0);
    let a = output.files.get("a.rs").expect("a.rs");
    assert!(a.contains("T(Box<super::b::T>)"), "{a}");
    let b = output.files.get("b.rs").expect("b.rs");
    assert!(b.contains("pub struct T(pub Box<super::a::T>);"), "{b}");
}

#[test]
fn what_is_not_precise_is_counted_with_its_reason() {
    let fields = vec![
        required("other", remote("elsewhere", "t", vec![])),
        required("missing", named("missing", vec![])),
        required("number", builtin(Builtin::Number)),
        required("precise", Type::Any),
    ];
    let module = Module {
        types: vec![definition(
            "t",
            &[],
            Type::Map(fields),
            "-type t() :: #{…}.",
        )],
        ..module("m")
    };
    let output = generate(&[module], &options());
    let report = &output.report.modules["m"];
    assert_eq!(report.positions, 4);
    let reasons: Vec<(&str, Reason)> = report
        .fallbacks
        .iter()
        .map(|found| (found.position.as_str(), found.reason))
        .collect();
    assert_eq!(
        reasons,
        [
            ("T.Other", Reason::OtherModule),
            ("T.Missing", Reason::UnknownType),
            ("T.Number", Reason::NoRustType),
        ]
    );
}

#[test]
fn one_bad_type_never_stops_the_others() {
    let module = Module {
        types: vec![
            definition("bad", &[], Type::Invalid, "-type bad() :: ?WHAT."),
            definition("bad", &[], atom("again"), "-type bad() :: again."),
            definition("good", &[], builtin(Builtin::Pid), "-type good() :: pid()."),
        ],
        ..module("m")
    };
    let output = generate(&[module], &options());
    let messages: Vec<String> = output.diagnostics.iter().map(ToString::to_string).collect();
    assert_eq!(
        messages,
        [
            "m:bad/0: could not be resolved: it becomes the dynamic `Term`",
            "m:bad/0: is defined twice: the first definition counts",
        ]
    );
    let text = output.files.get("m.rs").expect("m.rs");
    assert!(text.contains("pub type Good = rt::Pid;"), "{text}");
}

#[test]
fn types_nested_beyond_measure_end_in_the_dynamic_term() {
    let mut deep = builtin(Builtin::Pid);
    for _ in 0..500 {
        deep = list(tuple(vec![deep]));
    }
    let module = Module {
        types: vec![definition("t", &[], deep, "-type t() :: [{…}].")],
        ..module("m")
    };
    let report = generate(&[module], &options()).report;
    assert_eq!(report.modules["m"].fallbacks[0].reason, Reason::TooDeep);
}

#[test]
fn odd_names_are_legal_and_do_not_meet() {
    let odd = [
        "Elixir.Foo",
        "größe",
        "a-b",
        "a_b",
        "1st",
        "",
        "fn",
        "self",
        "u8",
        "💡",
    ];
    let module = Module {
        name: "Elixir.M".to_owned(),
        types: odd
            .iter()
            .map(|name| definition(name, &["_"], union(odd.map(atom).to_vec()), "-type …"))
            .collect(),
        callbacks: odd
            .iter()
            .map(|name| callback(name, vec![term(name), term("_")], atom(name), "-callback …"))
            .collect(),
        ..module("m")
    };
    for options in [options(), inside()] {
        let output = generate(std::slice::from_ref(&module), &options);
        assert_eq!(output.diagnostics, []);
        assert!(
            output.files.get("Elixirx2eM_.rs").is_some(),
            "{:?}",
            output.files.0.keys()
        );
    }
}

#[test]
fn a_mapping_to_no_path_is_reported() {
    let mut options = options();
    for mapped in options.types.0.values_mut() {
        mapped.path = "not a path".to_owned();
    }
    let output = generate(&[], &options);
    assert_eq!(output.diagnostics.len(), 1);
    assert!(
        output.diagnostics[0]
            .message
            .contains("is mapped to `not a path`")
    );
}
