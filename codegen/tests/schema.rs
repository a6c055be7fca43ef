//! JSON Schema from Erlang's types.
#![allow(
    clippy::disallowed_methods,
    reason = "the tests read OTP, and write what otp-bridge's tests compare"
)]

mod support;

use std::collections::BTreeSet;
use std::path::Path;

use otp_codegen::Overrides;
use otp_codegen::schema::{NoSuchType, Schema, schema, schemas};
use serde_json::Value;
use support::{installed, module, module_named};

/// The definitions of the types of `forms`, for a document about the last one.
fn shown(forms: &str) -> String {
    let document = schema_of(forms).document;
    let document = serde_json::to_string_pretty(&document).expect("JSON");
    format!("{}\n\n{document}", forms.trim())
}

#[test]
fn unions_tuples_and_maps() {
    insta::assert_snapshot!(shown(
        "-record(point, {x = 0.0 :: float(), y :: float() | undefined}).
-type level() :: debug | {custom, 1..10} | undefined | true.
-type t() :: #{id := level(), start => {module(), atom(), [term()]}, '$odd' => #point{}}
           | {level(), binary()} | [level(), ...] | 5 | 18446744073709551616."
    ));
}

#[test]
fn recursion_and_parameters_are_references() {
    insta::assert_snapshot!(shown(
        "-type tree(T) :: leaf | {node, tree(T), T, tree(T)}.
-type endless(T) :: none | {T, endless([T])}.
-type t() :: {tree(integer()), tree(t()), endless(a)}."
    ));
}

#[test]
fn maps_by_their_keys() {
    insta::assert_snapshot!(shown(
        "-type key() :: a | node().
-type t() :: {#{key() => 1}, #{integer() => 1}, #{a := 1, key() => 2}, #{a := 1, byte() => 2}, #{}}."
    ));
}

#[test]
fn an_endless_type_ends() {
    for (forms, cut) in [
        ("-type t(T) :: none | {T, t([T])}.", "m:t/1"),
        ("-type t(T) :: none | [t({T, T})].", "m:t/1"),
        (
            "-type s(A, B) :: [t(B, A)].\n-type t(A, B) :: none | s({A}, [B]).",
            "m:s/2",
        ),
        (
            "-record(r, {next}).\n-type t(A) :: #r{next :: t(#r{next :: A})}.",
            "m:t/1",
        ),
    ] {
        let schema = schema_of(forms);
        assert_eq!(schema.cut.into_iter().collect::<Vec<_>>(), [cut]);
        let definitions = schema.document["$defs"].as_object().expect("definitions");
        assert!(definitions.len() < 20, "{}", definitions.len());
        assert!(references_resolve(&schema.document));
    }
}

#[test]
fn a_recursive_record_refers_to_itself() {
    insta::assert_snapshot!(shown(
        "-record(tree, {left :: #tree{} | nil, value, right :: #tree{value :: 1} | nil}).
-type t() :: #tree{}."
    ));
}

/// The size of a document is linear in its module, however its types refer to each other.
#[test]
fn a_document_is_linear_in_its_module() {
    let steps = |form: &dyn Fn(usize) -> String, last: &str| {
        let forms: Vec<String> = (0..200).map(form).collect();
        format!("{}\n{last}", forms.concat())
    };
    let doubled = |index: usize| format!("-type t{index}(A) :: t{}({{A, A}}).\n", index + 1);
    let twice = |index: usize| {
        let next = index + 1;
        format!("-record(r{index}, {{a :: #r{next}{{}}, b :: #r{next}{{}}}}).\n")
    };
    let refined = |index: usize| {
        let next = index + 1;
        format!("-record(r{index}, {{a :: #r{next}{{a :: 1}}, b :: #r{next}{{b :: 2}}}}).\n")
    };
    let chain = |index: usize| format!("-type t{index}() :: t{}() | a{index}.\n", index + 1);
    for forms in [
        steps(&doubled, "-type t200(A) :: A.\n-type t() :: t0(a)."),
        steps(&twice, "-record(r200, {a}).\n-type t() :: #r0{}."),
        steps(&refined, "-record(r200, {a, b}).\n-type t() :: #r0{}."),
        steps(&chain, "-type t200() :: a.\n-type t() :: #{t0() => 1}."),
    ] {
        let document = schema_of(&forms).document;
        assert!(references_resolve(&document));
        let size = document.to_string().len();
        assert!(size < 40 * forms.len(), "{size} of {}", forms.len());
    }
}

#[test]
fn instances_that_double_are_bounded() {
    let step = |index: usize| {
        let next = index + 1;
        format!("-type t{index}(A) :: {{t{next}({{a, A}}), t{next}({{b, A}})}}.\n")
    };
    let forms: String = (0..30).map(step).collect();
    let schema = schema_of(&format!("{forms}-type t30(A) :: A.\n-type t() :: t0(a)."));
    assert!(!schema.cut.is_empty());
    let size = schema.document.to_string().len();
    assert!(size < 20_000_000, "{size}");
    assert!(references_resolve(&schema.document));
}

fn none() -> Overrides {
    Overrides::default()
}

/// The schema of the last type of `forms`.
fn schema_of(forms: &str) -> Schema {
    let module = module(forms);
    let last = module.types.last().expect("a type");
    schema(
        std::slice::from_ref(&module),
        &none(),
        "m",
        &last.name,
        None,
    )
    .expect("a schema")
}

/// Every `$ref` leads to a definition.
fn references_resolve(document: &Value) -> bool {
    fn all(value: &Value, known: &BTreeSet<String>) -> bool {
        match value {
            Value::Object(object) => object.iter().all(|(key, value)| match value {
                Value::String(pointer) if key == "$ref" => known.contains(pointer),
                value => all(value, known),
            }),
            Value::Array(elements) => elements.iter().all(|element| all(element, known)),
            _ => true,
        }
    }
    let definitions = document["$defs"].as_object().expect("definitions");
    let pointer = |key: &String| {
        let escaped = key.bytes().map(|byte| match byte {
            b'~' => "~0".to_owned(),
            b'/' => "~1".to_owned(),
            b if b.is_ascii_alphanumeric() || b"-._!$&'()*+,;=:@".contains(&b) => {
                char::from(b).to_string()
            }
            b => format!("%{b:02X}"),
        });
        format!("#/$defs/{}", escaped.collect::<String>())
    };
    let known: BTreeSet<String> = definitions.keys().map(pointer).collect();
    all(document, &known)
}

#[test]
fn types_of_other_modules_are_found_or_named() {
    let one = module("-type t() :: {none:t(), other:t()}.");
    let other = module_named("other", "-export_type([t/0]).\n-type t() :: ok.");
    let found = schema(&[one.clone(), other], &none(), "m", "t", Some(0)).expect("a schema");
    assert_eq!(found.missing.into_iter().collect::<Vec<_>>(), ["none"]);
    let definitions = &found.document["$defs"];
    assert_eq!(definitions["other:t()"]["const"], "ok");
    let elements = &definitions["m:t()"]["properties"]["$"]["prefixItems"];
    assert_eq!(elements[0]["$ref"], "#/$defs/term()");

    let missing = |name, arity| schema(std::slice::from_ref(&one), &none(), "m", name, arity);
    assert_eq!(
        missing("s", None),
        Err(NoSuchType::Name(vec!["t/0".to_owned()]))
    );
    assert_eq!(missing("t", Some(1)), Err(NoSuchType::Arity(vec![0])));
    assert_eq!(
        schema(&[one], &none(), "n", "t", None),
        Err(NoSuchType::Module)
    );
}

/// The schemas of all types of the modules whose Rust types are part of otp-bridge; otp-bridge's
/// tests compare them with those of the Rust types.
#[test]
fn the_checked_in_schemas_are_fresh() {
    let (stdlib, release) = installed();
    // Those of another release may differ.
    if release != "25" {
        return;
    }
    for name in ["gen_server", "supervisor"] {
        let path = stdlib.join("ebin").join(format!("{name}.beam"));
        let bytes = std::fs::read(&path).expect("a module of stdlib");
        let parsed = otp_specs::parse_beam(&path.to_string_lossy(), &bytes);
        let (module, _) = otp_specs::resolve(&parsed.module, &mut otp_specs::Trusting);
        let schemas = schemas(std::slice::from_ref(&module), &none(), name).expect("schemas");
        let fresh = serde_json::to_string_pretty(&schemas.document).expect("JSON") + "\n";
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/schemas")
            .join(format!("{name}.json"));
        if std::fs::read_to_string(&file).unwrap_or_default() != fresh {
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            std::fs::write(&file, fresh).expect("a file");
            panic!("{} was stale; it is written anew", file.display());
        }
    }
}
