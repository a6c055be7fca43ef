//! A user's overrides of single types and functions.

mod support;

use std::collections::BTreeMap;

use otp_codegen::{
    FunctionOverride, Options, Output, OverrideId, Overrides, Reason, SkipReason, Target,
    TypeOverride, generate,
};
use support::{module, module_named, options};

const FORMS: &str = "-export([open/1, open/2, shut/0]).
-export_type([key/0, box/1]).
-record(lock, {level :: 1..9}).
-type key() :: {key, 1..9} | 'Master'.
-type box(T) :: {box, T, key()} | empty.
-type tree() :: leaf | {node, tree(), #lock{}}.
-type address() :: {inet, binary()} | none.
-type secret(T) :: {secret, T}.
-type spec() :: #{key := key() | secret(atom()), at => address() | integer()}.
-spec open(a) -> box(key()); (b) -> secret(b).
-spec open(spec(), tree()) -> address().
-spec shut() -> ok.
";

fn target(name: &str) -> Target {
    Target {
        module: "m".to_owned(),
        name: name.to_owned(),
        arity: None,
    }
}

fn entry(name: &str) -> TypeOverride {
    TypeOverride {
        target: target(name),
        ..TypeOverride::default()
    }
}

fn renamed(name: &str, rename: &str) -> TypeOverride {
    TypeOverride {
        rename: Some(rename.to_owned()),
        ..entry(name)
    }
}

fn pair(old: &str, new: &str) -> BTreeMap<String, String> {
    BTreeMap::from([(old.to_owned(), new.to_owned())])
}

fn chosen() -> Overrides {
    let key = TypeOverride {
        derives: vec!["serde::Serialize".to_owned()],
        variants: pair("Master", "Passepartout"),
        ..renamed("key", "Tool")
    };
    let address = TypeOverride {
        rust: Some("crate::net::Address".to_owned()),
        ..entry("address")
    };
    let secret = TypeOverride {
        skip: true,
        ..entry("secret")
    };
    let spec = TypeOverride {
        fields: pair("at", "place"),
        ..renamed("spec", "Tree")
    };
    let open = FunctionOverride {
        target: Target {
            arity: Some(1),
            ..target("open")
        },
        rename: Some("enter".to_owned()),
        skip: false,
    };
    let shut = FunctionOverride {
        target: target("shut"),
        rename: None,
        skip: true,
    };
    Overrides {
        derives: vec!["Eq".to_owned()],
        types: vec![
            key,
            address,
            secret,
            spec,
            // Names may be exchanged.
            renamed("tree", "Spec"),
            renamed("#lock", "Lock"),
            renamed("KeyOrSecret", "Given"),
        ],
        functions: vec![open, shut],
    }
}

fn output(overrides: Overrides) -> Output {
    let options = Options {
        functions: true,
        overrides,
        ..options()
    };
    generate(&[module(FORMS)], &options)
}

#[test]
fn derives_names_types_and_gaps() {
    let output = output(chosen());
    assert_eq!(output.override_diagnostics, []);
    assert_eq!(output.diagnostics, []);
    let text = output.files.get("m.rs").expect("the module's file");
    insta::assert_snapshot!(format!("{}\n\n{text}", FORMS.trim()));

    // An item that is left out is counted wherever it is used.
    let lost = &output.report.modules["m"].fallbacks;
    let left_out = lost.iter().filter(|one| one.reason == Reason::Skipped);
    assert_eq!(left_out.count(), 2, "{lost:?}");
    let skipped = &output.functions["m"].skipped;
    assert_eq!(skipped.len(), 1);
    assert_eq!(
        (&*skipped[0].function, skipped[0].reason),
        ("shut/0", SkipReason::LeftOut)
    );
}

#[test]
fn other_modules_of_the_run_use_the_new_names() {
    let user = module_named(
        "user",
        "-type mine() :: [m:key() | m:address() | m:secret(x)].",
    );
    let options = Options {
        overrides: chosen(),
        ..options()
    };
    let mut overrides = options.overrides.clone();
    overrides.functions.clear();
    let output = generate(
        &[user, module(FORMS)],
        &Options {
            overrides,
            ..options
        },
    );
    assert_eq!(output.override_diagnostics, []);
    let text = output.files.get("user.rs").expect("the module's file");
    assert!(text.contains("Key(super::m::Tool),"), "{text}");
    assert!(text.contains("Address(crate::net::Address),"), "{text}");
    assert!(text.contains("Secret(rt::Term),"), "{text}");
}

/// Whatever the entries contain, the output is Rust, and each mistake has a diagnostic.
#[test]
fn what_is_no_rust_is_refused_and_not_written() {
    for odd in [
        "", "a b", "Self", "{", "r#self", "r#type", "x::", "'", "\u{202e}", "fn", "_",
    ] {
        let odd = odd.to_owned();
        let overrides = Overrides {
            derives: vec![odd.clone()],
            types: vec![TypeOverride {
                rename: Some(odd.clone()),
                rust: None,
                derives: vec![odd.clone()],
                no_derives: vec![odd.clone()],
                variants: pair("Master", &odd),
                ..entry("key")
            }],
            functions: vec![FunctionOverride {
                target: target("shut"),
                rename: Some(odd.clone()),
                skip: false,
            }],
        };
        let output = output(overrides);
        assert_eq!(output.diagnostics, [], "{odd:?}");
        let refused = |part| output.override_diagnostics.iter().any(|one| one.id == part);
        assert!(refused(OverrideId::Type(0)), "{odd:?}");
        // A keyword with `r#` is a valid function name.
        assert_eq!(refused(OverrideId::Function(0)), odd != "r#type", "{odd:?}");
    }
}

#[test]
fn entries_are_about_one_thing_each() {
    let overrides = Overrides {
        types: vec![
            renamed("key", "A"),
            renamed("keys", "B"),
            renamed("key", "C"),
        ],
        ..Overrides::default()
    };
    let refusals = output(overrides).override_diagnostics;
    let parts: Vec<OverrideId> = refusals.iter().map(|one| one.id).collect();
    assert_eq!(parts, [OverrideId::Type(1), OverrideId::Type(2)]);
    assert_eq!(refusals[0].missing.as_deref(), Some("keys"));
    assert!(refusals[0].known.iter().any(|name| name == "#lock"));
    assert!(refusals[0].known.iter().any(|name| name == "KeyOrSecret"));
}

/// The derives that an item of the module `m` has.
fn derives_of<'t>(text: &'t str, item: &str) -> Vec<&'t str> {
    let named = |line: &&str| {
        let name = line
            .trim_start_matches("pub struct ")
            .trim_start_matches("pub enum ");
        *line != name
            && name.starts_with(item)
            && !name[item.len()..].starts_with(char::is_alphanumeric)
    };
    let found = text
        .lines()
        .find(named)
        .unwrap_or_else(|| panic!("no {item} in {text}"));
    let before = &text[..text.find(found).expect("it is there")];
    let derive = &before[before.rfind("#[derive(").expect("a derive")..];
    let list = &derive["#[derive(".len()..derive.find(")]").expect("its end")];
    let all = list
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let usual = [
        "Debug",
        "Clone",
        "PartialEq",
        "::otp_bridge::Term",
        "rt::Construct",
        "Default",
    ];
    all.filter(|name| !usual.contains(name)).collect()
}

#[test]
fn derives_of_rusts_own_are_for_types_whose_parts_have_them() {
    let module = module(
        "-type a() :: {a, atom(), 1..9}.
         -type b() :: {b, float()}.
         -type c() :: {c, term()}.
         -type d() :: #{a := b(), b => a()}.
         -type e() :: #{atom() => a(), a := a()}.
         -type f() :: x | y.
         -type g() :: {g, [f()], h()}.
         -type h() :: {h, g() | none}.
         -type i() :: {i, g()}.
         -type j() :: {j, named()}.
         -type named() :: fun((b()) -> ok).",
    );
    let derives = [
        "Eq",
        "Hash",
        "PartialOrd",
        "Ord",
        "Copy",
        "serde::Serialize",
    ];
    let overrides = Overrides {
        derives: derives.map(str::to_owned).to_vec(),
        types: vec![
            TypeOverride {
                no_derives: vec!["Ord".to_owned(), "serde::Serialize".to_owned()],
                ..entry("h")
            },
            TypeOverride {
                derives: vec!["Ord".to_owned()],
                ..entry("i")
            },
        ],
        functions: Vec::new(),
    };
    let output = generate(
        &[module],
        &Options {
            overrides,
            ..options()
        },
    );
    assert_eq!(output.override_diagnostics, []);
    let text = output.files.get("m.rs").expect("the module's file");
    for (item, expected) in [
        (
            "A",
            &["Eq", "Hash", "PartialOrd", "Ord", "serde::Serialize"][..],
        ),
        ("B", &["PartialOrd", "Copy", "serde::Serialize"]),
        ("C", &["Eq", "PartialOrd", "Ord", "serde::Serialize"]),
        // A type lacks every derive that a part lacks.
        ("D", &["PartialOrd", "serde::Serialize"]),
        ("E", &["Eq", "serde::Serialize"]),
        (
            "F",
            &[
                "Eq",
                "Hash",
                "PartialOrd",
                "Ord",
                "Copy",
                "serde::Serialize",
            ],
        ),
        // An entry may remove derives from a part; the support of others is unknown.
        ("G", &["Eq", "Hash", "PartialOrd", "serde::Serialize"]),
        ("H", &["Eq", "Hash", "PartialOrd"]),
        // Derives of an entry are always written.
        (
            "I",
            &["Eq", "Hash", "PartialOrd", "Ord", "serde::Serialize"],
        ),
        ("J", &["Eq", "serde::Serialize"]),
    ] {
        assert_eq!(derives_of(text, item), expected, "{item}");
    }
}

/// Records, and types without an Erlang name, can be replaced like others.
#[test]
fn records_and_unnamed_types_are_replaced_and_left_out() {
    let own = |name: &str| TypeOverride {
        rust: Some("crate::user::Own".to_owned()),
        ..entry(name)
    };
    let skip = |name: &str| TypeOverride {
        skip: true,
        ..entry(name)
    };
    for (of_type, lines, gone) in [
        (
            own("KeyOrSecret"),
            ["pub key: crate::user::Own,"; 2],
            "KeyOrSecret",
        ),
        (
            skip("KeyOrSecret"),
            ["pub key: rt::Term,"; 2],
            "KeyOrSecret",
        ),
        (
            own("#lock"),
            ["Node(::std::boxed::Box<Tree>, crate::user::Own),", "Leaf,"],
            "struct Lock",
        ),
        (
            skip("#lock"),
            ["Node(::std::boxed::Box<Tree>, ", "Leaf,"],
            "struct Lock",
        ),
    ] {
        let overrides = Overrides {
            types: vec![of_type],
            ..Overrides::default()
        };
        let output = output(overrides);
        assert_eq!(output.override_diagnostics, [], "{lines:?}");
        let text = output.files.get("m.rs").expect("the module's file");
        for line in lines {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert!(!text.contains(&format!("pub {gone}")), "{gone}\n{text}");
    }
}

/// A message never suggests the name that the user wrote.
#[test]
fn what_is_declared_without_a_rust_type_of_its_own_is_not_suggested() {
    let module = module("-record(idle, {a}).\n-type set() :: [term()].");
    for (target, hint) in [
        (
            "#idle",
            "no type refers to this record: leave the override out",
        ),
        ("Nobody", ""),
    ] {
        for skip in [true, false] {
            let of_type = if skip {
                TypeOverride {
                    skip,
                    ..entry(target)
                }
            } else {
                renamed(target, "Other")
            };
            let overrides = Overrides {
                types: vec![of_type],
                ..Overrides::default()
            };
            let options = Options {
                overrides,
                ..options()
            };
            let refused = generate(std::slice::from_ref(&module), &options).override_diagnostics;
            assert_eq!(refused.len(), 1, "{target}: {refused:?}");
            assert_eq!(refused[0].code, "E0602");
            assert_eq!(refused[0].hint.as_deref().unwrap_or_default(), hint);
            assert!(!refused[0].known.iter().any(|known| known == target));
        }
    }
}
