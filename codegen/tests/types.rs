//! Erlang types and the Rust that is generated from them, side by side in the snapshots.

mod support;

use otp_specs::types::{Builtin, Module, Type, TypeKind};
use support::*;

/// A module of one type.
fn one(name: &str, params: &[&str], body: Type, erlang: &str) -> Module {
    Module {
        types: vec![definition(name, params, body, erlang)],
        ..module("m")
    }
}

#[test]
fn atoms_are_an_enum_that_their_unit_structs_convert_into() {
    let body = union(vec![atom("permanent"), atom("DOWN"), atom("self")]);
    insta::assert_snapshot!(shown(one(
        "restart",
        &[],
        body,
        "-type restart() :: permanent | 'DOWN' | self."
    )));
}

#[test]
fn tagged_tuples_of_one_tag_and_several_arities() {
    let ok = |more: Vec<Type>| {
        tuple(
            [
                vec![atom("ok"), annotated("Child", builtin(Builtin::Pid))],
                more,
            ]
            .concat(),
        )
    };
    let body = union(vec![
        ok(vec![]),
        ok(vec![term("Info")]),
        tuple(vec![atom("error"), Type::Any]),
        atom("error"),
    ]);
    insta::assert_snapshot!(shown(one(
        "ret",
        &[],
        body,
        "-type ret() :: {ok, Child :: pid()} | {ok, Child :: pid(), Info :: term()} | {error, term()} | error."
    )));
}

#[test]
fn members_of_one_tag_and_arity_are_one_variant() {
    let error = |reason: Type| tuple(vec![atom("error"), reason]);
    let body = union(vec![
        error(atom("timeout")),
        error(atom("closed")),
        atom("ok"),
    ]);
    insta::assert_snapshot!(shown(one(
        "ret",
        &[],
        body,
        "-type ret() :: {error, timeout} | {error, closed} | ok."
    )));
}

#[test]
fn untagged_members_are_named_by_annotation_or_kind_and_term_is_last() {
    let body = union(vec![
        Type::Any,
        annotated("LocalName", builtin(Builtin::Atom)),
        tuple(vec![builtin(Builtin::Atom), builtin(Builtin::Node)]),
        list(builtin(Builtin::Pid)),
        builtin(Builtin::Pid),
    ]);
    insta::assert_snapshot!(shown(one(
        "server_ref",
        &[],
        body,
        "-type server_ref() :: term() | (LocalName :: atom()) | {atom(), node()} | [pid()] | pid()."
    )));
}

#[test]
fn a_map_is_a_struct_with_a_constructor_and_setters() {
    let body = Type::Map(vec![
        required("id", Type::Any),
        required("start", builtin(Builtin::Mfa)),
        optional("type", union(vec![atom("worker"), atom("supervisor")])),
        optional(
            "shutdown",
            union(vec![atom("brutal_kill"), builtin(Builtin::Timeout)]),
        ),
    ]);
    insta::assert_snapshot!(shown(one(
        "spec",
        &[],
        body,
        "-type spec() :: #{id := term(), start := mfa(), type => worker | supervisor, shutdown => brutal_kill | timeout()}."
    )));
}

#[test]
fn a_map_inside_a_union_is_named_after_the_union() {
    let body = union(vec![
        Type::Map(vec![optional("period", builtin(Builtin::PosInteger))]),
        tuple(vec![
            builtin(Builtin::NonNegInteger),
            builtin(Builtin::PosInteger),
        ]),
    ]);
    insta::assert_snapshot!(shown(one(
        "sup_flags",
        &[],
        body,
        "-type sup_flags() :: #{period => pos_integer()} | {non_neg_integer(), pos_integer()}."
    )));
}

#[test]
fn records_are_structs_and_refined_ones_are_others() {
    let declared = [("name", builtin(Builtin::Atom)), ("next", Type::Any)];
    let refined = [
        ("name", builtin(Builtin::Atom)),
        ("next", builtin(Builtin::Pid)),
    ];
    let forms = vec![
        definition(
            "node",
            &[],
            record_type("link", &declared),
            "-type node() :: #link{}.",
        ),
        definition(
            "last",
            &[],
            record_type("link", &refined),
            "-type last() :: #link{next :: pid()}.",
        ),
    ];
    let records = vec![record("link", &declared)];
    insta::assert_snapshot!(shown(Module {
        types: forms,
        records,
        ..module("m")
    }));
}

#[test]
fn recursive_types_are_boxed_and_recursive_names_are_types_of_their_own() {
    let tree = union(vec![
        atom("leaf"),
        tuple(vec![atom("node"), named("tree", vec![var("T")]), var("T")]),
    ]);
    let forms = vec![
        definition(
            "tree",
            &["T"],
            tree,
            "-type tree(T) :: leaf | {node, tree(T), T}.",
        ),
        definition(
            "nest",
            &[],
            list(named("nest", vec![])),
            "-type nest() :: [nest()].",
        ),
        definition(
            "odd",
            &[],
            union(vec![atom("zero"), named("even", vec![])]),
            "-type odd() :: zero | even().",
        ),
        definition(
            "even",
            &[],
            tuple(vec![named("odd", vec![])]),
            "-type even() :: {odd()}.",
        ),
    ];
    insta::assert_snapshot!(shown(Module {
        types: forms,
        ..module("m")
    }));
}

#[test]
fn type_variables_are_parameters_and_unused_ones_go() {
    let forms = vec![
        definition(
            "pair",
            &["K", "V", "Unused"],
            tuple(vec![var("K"), list(var("V"))]),
            "-type pair(K, V, Unused) :: {K, [V]}.",
        ),
        definition(
            "users",
            &["V"],
            list(named(
                "pair",
                vec![builtin(Builtin::Atom), var("V"), Type::Any],
            )),
            "-type users(V) :: [pair(atom(), V, term())].",
        ),
    ];
    insta::assert_snapshot!(shown(Module {
        types: forms,
        ..module("m")
    }));
}

#[test]
fn opaque_types_show_nothing() {
    let mut tag = definition(
        "tag",
        &[],
        builtin(Builtin::Reference),
        "-opaque tag() :: reference().",
    );
    tag.kind = TypeKind::Opaque;
    insta::assert_snapshot!(shown(Module {
        types: vec![tag],
        ..module("m")
    }));
}

#[test]
fn names_of_rusts_prelude_can_be_erlangs() {
    let forms = vec![
        definition(
            "option",
            &[],
            Type::Map(vec![optional("new", list(named("vec", vec![])))]),
            "-type option() :: #{new => [vec()]}.",
        ),
        definition(
            "vec",
            &[],
            tuple(vec![atom("box"), builtin(Builtin::Float)]),
            "-type vec() :: {box, float()}.",
        ),
        definition(
            "some",
            &[],
            union(vec![named("option", vec![]), atom("none")]),
            "-type some() :: option() | none.",
        ),
    ];
    insta::assert_snapshot!(shown(Module {
        types: forms,
        ..module("m")
    }));
}

#[test]
fn equal_unions_without_a_name_are_one_type() {
    let action = || union(vec![builtin(Builtin::Timeout), atom("hibernate")]);
    let module = Module {
        types: vec![
            definition(
                "one",
                &[],
                tuple(vec![atom("one"), action()]),
                "-type one() :: {one, timeout() | hibernate}.",
            ),
            definition(
                "two",
                &[],
                list(action()),
                "-type two() :: [timeout() | hibernate].",
            ),
        ],
        ..module("m")
    };
    let rust = rust(module);
    assert_eq!(rust.matches("pub enum ").count(), 1, "{rust}");
    assert!(
        rust.contains("pub struct One(pub TimeoutOrHibernate);"),
        "{rust}"
    );
    assert!(
        rust.contains("pub type Two = Vec<TimeoutOrHibernate>;"),
        "{rust}"
    );
}
