//! Resolves written forms to types: case by case, and over the whole installed OTP.
#![allow(clippy::disallowed_methods)]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use otp_specs::ast;
use otp_specs::types::{Builtin, Int, Module, Type, TypeKind};
use otp_specs::{
    Lookup, NoIncludes, Options, Severity, Trusting, parse_beam, parse_source, resolve,
};

fn written(text: &str) -> ast::Module {
    let options = Options {
        release: support::release(),
        ..Options::default()
    };
    let text = format!("-module(m).\n{text}");
    let parsed = parse_source("m.erl", text.as_bytes(), &NoIncludes, &options);
    assert_eq!(parsed.diagnostics, [], "{text}");
    parsed.module
}

fn resolved(text: &str) -> (Module, Vec<String>) {
    let (module, diagnostics) = resolve(&written(text), &mut Trusting);
    (
        module,
        diagnostics.iter().map(ToString::to_string).collect(),
    )
}

/// The only type of a text without errors.
fn body(text: &str) -> Type {
    let (module, diagnostics) = resolved(text);
    assert_eq!(diagnostics, [""; 0], "{text}");
    module.types.into_iter().next().expect("a type").body
}

fn small(value: i128) -> Int {
    Int::Small(value)
}

#[test]
fn integers_are_computed() {
    assert_eq!(body("-type t() :: 1 bsl (4 - 1)."), Type::Integer(small(8)));
    assert_eq!(
        body("-type t() :: (1 bsl 4) - 1."),
        Type::Integer(small(15))
    );
    assert_eq!(
        body("-type t() :: -1..1 + 2 * 3."),
        Type::Range(small(-1), small(7))
    );
    assert_eq!(body("-type t() :: $a."), Type::Integer(small(97)));
    assert_eq!(
        body("-type t() :: (1 bsl 64) - 1."),
        Type::Integer(small((1 << 64) - 1))
    );
    let big = "9".repeat(60);
    assert_eq!(
        body(&format!("-type t() :: -{big}.")),
        Type::Integer(Int::Big(format!("-{big}")))
    );
    assert_eq!(
        body("-type t() :: <<_:8, _:_*(2 * 4)>>."),
        Type::Bitstring { size: 8, unit: 8 }
    );
}

#[test]
fn unions_are_flat_and_annotations_stay() {
    let atom = |name: &str| Type::Atom(name.into());
    let inner = Type::Annotated("X".into(), Box::new(atom("c")));
    let union = Type::Union(vec![atom("a"), atom("b"), inner, atom("d")]);
    assert_eq!(body("-type t() :: (a | b) | (X :: c) | d."), union);
}

#[test]
fn predefined_types_have_their_meaning() {
    assert_eq!(body("-type t() :: term()."), Type::Any);
    assert_eq!(body("-type t() :: no_return()."), Type::None);
    assert_eq!(body("-type t() :: []."), Type::Nil);
    assert_eq!(body("-type t() :: list()."), Type::Builtin(Builtin::List));
    assert_eq!(
        body("-type t() :: [any()]."),
        Type::List(Box::new(Type::Any))
    );
    assert_eq!(
        body("-type t() :: bool()."),
        Type::Builtin(Builtin::Boolean)
    );
    assert_eq!(
        body("-type t() :: fun()."),
        Type::Builtin(Builtin::Function)
    );
    let improper = Type::NonemptyImproperList(
        Box::new(Type::Any),
        Box::new(Type::Union(vec![Type::Atom("a".into()), Type::Nil])),
    );
    assert_eq!(
        body("-type t() :: nonempty_maybe_improper_list(any(), a)."),
        improper
    );
}

#[test]
fn parameters_opacity_and_export() {
    let (module, diagnostics) =
        resolved("-export_type([t/1]). -opaque t(A) :: {A, u()}. -type u() :: t(a).");
    assert_eq!(diagnostics, [""; 0]);
    let [t, u] = module.types.as_slice() else {
        panic!("two types")
    };
    assert_eq!(
        (t.kind, t.exported, t.params.as_slice()),
        (TypeKind::Opaque, true, &["A".into()][..])
    );
    assert!(!u.exported);
    let Type::Tuple(elements) = &t.body else {
        panic!("{t:?}")
    };
    assert_eq!(elements[0], Type::Var("A".into()));
    assert!(matches!(&elements[1], Type::Named(name, _) if name.module == "m" && name.name == "u"));
}

#[test]
fn records_know_their_fields() {
    let (module, diagnostics) = resolved(
        "-record(r, {a = 1 :: integer(), b, c :: #r{}}).
         -type t() :: #r{a :: 5, b :: atom()}.",
    );
    assert_eq!(diagnostics, [""; 0]);
    let Type::Record(name, fields) = &module.types[0].body else {
        panic!("a record")
    };
    assert_eq!((name.module.as_str(), name.name.as_str()), ("m", "r"));
    assert_eq!(fields[0].ty, Type::Integer(small(5)));
    assert!(module.records[0].defaults[0].is_some());
    assert_eq!(fields[1].ty, Type::Builtin(Builtin::Atom));
    assert_eq!(module.records[0].fields[1].ty, Type::Any);
    assert!(matches!(&fields[2].ty, Type::Record(_, inner) if inner.is_empty()));
}

#[test]
fn every_diagnostic_has_its_location_and_poisons_only_its_users() {
    let cases = [
        (
            "-type t() :: {ok, nope()}.",
            "m.erl:2:19: error[E0502]: undefined type `nope/0`",
        ),
        (
            "-type t() :: #nope{}.",
            "m.erl:2:14: error[E0503]: undefined record `#nope`",
        ),
        (
            "-type t() :: A.",
            "m.erl:2:14: warning[E0507]: type variable `A` is unbound",
        ),
        (
            "-type t() :: 2..1.",
            "m.erl:2:14: error[E0509]: empty range `2..1`",
        ),
        (
            "-type t() :: 1 + a.",
            "m.erl:2:16: error[E0508]: not an integer expression",
        ),
        (
            "-type t() :: a. -type t() :: b.",
            "m.erl:2:18: error[E0506]: type `t/0` already defined",
        ),
        (
            "-type t() :: t() | a.",
            "m.erl:2:2: error[E0510]: type `t/0` is one of its own alternatives",
        ),
        (
            "-record(r, {a}). -type t() :: #r{b :: c}.",
            "m.erl:2:34: error[E0504]: undefined record field `b`",
        ),
        (
            "-spec f(a) -> b; (a, b) -> c.",
            "m.erl:2:2: error[E0514]: the clauses of `f/1` differ in arity",
        ),
        (
            "-optional_callbacks([f/1]).",
            "m.erl:2:2: warning[E0513]: `f/1` is in `-optional_callbacks`",
        ),
    ];
    for (text, expected) in cases {
        let (module, diagnostics) = resolved(&format!("{text}\n-type sound() :: ok."));
        assert_eq!(diagnostics.len(), 1, "{text}: {diagnostics:?}");
        assert!(diagnostics[0].starts_with(expected), "{}", diagnostics[0]);
        let sound = module
            .types
            .iter()
            .find(|ty| ty.name == "sound")
            .expect("a sound type");
        assert_eq!(sound.body, Type::Atom("ok".into()));
    }
}

#[test]
fn remote_types_are_looked_up_once_and_when_asked_for() {
    let user =
        written("-type t() :: other:t() | other:hidden() | other:nope() | gone:t() | free:t().");
    let other = Arc::new(written(
        "-export_type([t/0]). -type t() :: a. -type hidden() :: b.",
    ));
    let mut asked = Vec::new();
    let mut universe = |name: &str| {
        asked.push(name.to_owned());
        match name {
            "other" => Lookup::Found(Arc::clone(&other)),
            "free" => Lookup::Unchecked,
            _ => Lookup::Missing,
        }
    };
    let (module, diagnostics) = resolve(&user, &mut universe);
    assert_eq!(asked, ["other", "gone", "free"]);
    let shown: Vec<_> = diagnostics
        .iter()
        .map(|one| (one.severity, one.label.as_str()))
        .collect();
    let expected = [
        (Severity::Warning, "type `other:hidden/0` is not exported"),
        (Severity::Error, "undefined type `other:nope/0`"),
        (Severity::Error, "unknown module `gone`"),
    ];
    assert_eq!(shown, expected);
    let Type::Union(members) = &module.types[0].body else {
        panic!("a union")
    };
    let named = |ty: &Type| matches!(ty, Type::Named(..));
    assert_eq!(
        members.iter().map(named).collect::<Vec<_>>(),
        [true, true, false, false, true]
    );
}

#[test]
fn an_old_behaviour_has_untyped_callbacks() {
    let (module, _) = resolved(
        "-export([behaviour_info/1]).
         behaviour_info(callbacks) -> [{init, 2}, {stop, 0}];
         behaviour_info(optional_callbacks) -> [{stop, 0}];
         behaviour_info(_) -> undefined.",
    );
    let [init, stop] = module.callbacks.as_slice() else {
        panic!("two callbacks")
    };
    assert_eq!(init.erlang, "-callback init(term(), term()) -> term().");
    assert_eq!((init.arity, init.optional), (2, false));
    assert_eq!((stop.arity, stop.optional), (0, true));
    assert_eq!(init.clauses[0].params, [Type::Any, Type::Any]);
}

/// Every module of the installed OTP, by name, from its BEAM file.
fn installed() -> BTreeMap<String, Arc<ast::Module>> {
    let mut modules = BTreeMap::new();
    for file in support::files_below(&support::root().join("lib"), "beam") {
        let bytes = fs::read(&file).expect("the module is installed");
        let parsed = parse_beam(&file.to_string_lossy(), &bytes);
        if let Some(name) = &parsed.module.name {
            modules.insert(name.to_string(), Arc::new(parsed.module));
        }
    }
    modules
}

#[test]
fn all_of_otp_resolves() {
    let mut modules = installed();
    let all: Vec<_> = modules.values().cloned().collect();
    assert!(all.len() > 300);
    let mut errors = Vec::new();
    for module in &all {
        let (_, diagnostics) = resolve(module, &mut modules);
        errors.extend(
            diagnostics
                .into_iter()
                .filter(|one| one.severity == Severity::Error),
        );
    }
    // A module of an application that is not installed is not a mistake of the input.
    errors.retain(|one| !one.label.starts_with("unknown module"));
    assert_eq!(errors, []);
}

/// `{Module, Callbacks, OptionalCallbacks}` of each module that OTP itself considers a behaviour.
fn behaviours_of_otp() -> Vec<(String, BTreeSet<String>, BTreeSet<String>)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/behaviours.escript");
    let output = Command::new("escript")
        .arg(script)
        .arg(support::root().join("lib"))
        .output();
    let output = output.expect("escript starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).expect("text");
    let names = |part: &str| part.split_whitespace().map(str::to_owned).collect();
    let line = |line: &str| {
        let mut parts = line.split('\t');
        let mut next = || parts.next().expect("three parts");
        (next().to_owned(), names(next()), names(next()))
    };
    text.lines().map(line).collect()
}

#[test]
fn callbacks_are_those_that_otp_lists() {
    let modules = installed();
    let behaviours = behaviours_of_otp();
    assert!(behaviours.len() > 20);
    for (name, callbacks, optional) in behaviours {
        let (module, _) = resolve(&modules[&name], &mut Trusting);
        let shown = |optional_only: bool| -> BTreeSet<String> {
            let expected = module
                .callbacks
                .iter()
                .filter(|one| !optional_only || one.optional);
            expected
                .map(|one| format!("{}/{}", one.name, one.arity))
                .collect()
        };
        assert_eq!(shown(false), callbacks, "{name}");
        assert_eq!(shown(true), optional, "{name}");
    }
}
