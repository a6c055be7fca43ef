//! Messages about overrides that cannot be followed: a user can do what they advise.

mod support;

use otp_codegen::{
    FunctionOverride, Options, OverrideDiagnostic, Overrides, Target, TypeOverride, generate,
};
use support::{module, options};

const FORMS: &str = "-export([open/1, open/2, 'odd name'/1]).
-type key() :: {key, 1..9} | master.
-type 'odd key'() :: a | {b, c}.
-type spec() :: #{size => small | large}.
-type name() :: atom().
-record(used, {x :: integer()}).
-record(unused, {y :: integer()}).
-type user() :: {user, #used{}}.
-spec open(atom()) -> ok.
-spec open(atom(), map()) -> ok.
-spec 'odd name'(atom()) -> ok.
";

fn target(name: &str, arity: Option<usize>) -> Target {
    Target {
        module: "m".to_owned(),
        name: name.to_owned(),
        arity,
    }
}

fn said(overrides: Overrides) -> Vec<OverrideDiagnostic> {
    let options = Options {
        functions: true,
        overrides,
        ..options()
    };
    generate(&[module(FORMS)], &options).override_diagnostics
}

fn of_type(name: &str, decided: TypeOverride) -> Vec<OverrideDiagnostic> {
    let target = target(name, None);
    said(Overrides {
        types: vec![TypeOverride { target, ..decided }],
        ..Overrides::default()
    })
}

fn renamed(name: &str) -> Vec<OverrideDiagnostic> {
    let rename = Some("Other".to_owned());
    of_type(
        name,
        TypeOverride {
            rename,
            ..TypeOverride::default()
        },
    )
}

fn of_function(name: &str, arity: Option<usize>) -> OverrideDiagnostic {
    let skipped = FunctionOverride {
        target: target(name, arity),
        rename: None,
        skip: true,
    };
    let mut all = said(Overrides {
        functions: vec![skipped],
        ..Overrides::default()
    });
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

fn codes(all: &[OverrideDiagnostic]) -> Vec<&'static str> {
    all.iter().map(|one| one.code).collect()
}

fn names(names: &[&str]) -> std::collections::BTreeMap<String, String> {
    let pairs = names
        .iter()
        .map(|name| ((*name).to_owned(), format!("{name}_")));
    pairs.collect()
}

#[test]
fn names_that_are_known_can_be_written_as_they_stand() {
    let absent = of_function("odd nam", None);
    assert_eq!(
        absent.label,
        "no function `m:'odd nam'` is bound in this run"
    );
    assert_eq!(absent.known, ["'odd name'", "open"]);
    let absent = of_function("odd name", Some(2));
    assert_eq!(absent.label, "there is no `m:'odd name'/2`");
    assert_eq!(absent.hint.as_deref(), Some("there is `m:'odd name'/1`"));
    let absent = renamed("odd keys").remove(0);
    assert_eq!(absent.label, "`m` has no type `'odd keys'` in this run");
    assert_eq!(absent.missing.as_deref(), Some("'odd keys'"));
    assert!(absent.known.contains(&"'odd key'".to_owned()));
}

#[test]
fn only_types_of_this_run_are_known() {
    for name in ["#unuse", "zzz", "#zzz"] {
        let absent = renamed(name).remove(0);
        assert_eq!(absent.code, "E0602", "{name}");
        assert!(absent.known.contains(&"#used".to_owned()), "{name}");
        assert!(!absent.known.contains(&"#unused".to_owned()), "{name}");
    }
    for name in ["#unused", "unused"] {
        let idle = renamed(name).remove(0);
        assert_eq!((idle.code, idle.known.as_slice()), ("E0602", &[][..]));
        let hint = idle.hint.expect("a hint");
        assert!(hint.contains("leave the override out"), "{hint}");
    }
    let named = target("keys", Some(0));
    let absent = said(Overrides {
        types: vec![TypeOverride {
            target: named,
            skip: true,
            ..TypeOverride::default()
        }],
        ..Overrides::default()
    });
    assert_eq!(absent[0].label, "`m` has no type `keys/0` in this run");
}

#[test]
fn a_mistake_is_said_once() {
    let rust = Some("crate::Key".to_owned());
    for (decided, expected) in [
        (
            TypeOverride {
                rust: rust.clone(),
                variants: names(&["Master"]),
                ..TypeOverride::default()
            },
            "E0609",
        ),
        (
            TypeOverride {
                rust,
                no_derives: vec!["Eq".to_owned()],
                ..TypeOverride::default()
            },
            "E0609",
        ),
    ] {
        assert_eq!(codes(&of_type("key", decided)), [expected]);
    }
    let refused = TypeOverride {
        no_derives: vec!["Eq".to_owned()],
        ..TypeOverride::default()
    };
    assert_eq!(codes(&of_type("name", refused.clone())), ["E0620"]);
    assert_eq!(codes(&of_type("key", refused)), ["E0621"]);
}

#[test]
fn what_has_no_names_says_so() {
    let fields = TypeOverride {
        fields: names(&["size"]),
        ..TypeOverride::default()
    };
    let variants = TypeOverride {
        variants: names(&["Small"]),
        ..TypeOverride::default()
    };
    for (name, decided, key) in [
        ("key", fields, "fields"),
        ("spec", variants.clone(), "variants"),
        ("name", variants, "variants"),
    ] {
        let wrong = of_type(name, decided);
        let absent = wrong.iter().find(|one| one.code == "E0615");
        let hint = absent.and_then(|one| one.hint.clone());
        let expected = format!("none of it has a name: leave `{key}` out");
        assert_eq!(hint, Some(expected), "{name}: {wrong:?}");
    }
}

#[test]
fn what_borrows_is_no_type_of_a_value() {
    let code = |rust: &str| {
        let rust = Some(rust.to_owned());
        let decided = TypeOverride {
            rust,
            ..TypeOverride::default()
        };
        codes(&of_type("key", decided))
    };
    for rust in ["crate::A<'a>", "crate::A<&'static str>", "&str", "[u8; 4]"] {
        assert_eq!(code(rust), ["E0613"], "{rust}");
    }
    assert_eq!(code("crate::A<B>"), ["E0614"]);
    for rust in ["<u8 as crate::A>::B", "std::boxed::Box<dyn crate::A>"] {
        assert_eq!(code(rust), [""; 0], "{rust}");
    }
}
