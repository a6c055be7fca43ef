//! JSON Schema from Erlang's types.
#![allow(
    clippy::disallowed_methods,
    reason = "the tests read OTP, and write what otp-bridge's tests compare"
)]

mod support;

use std::path::Path;

use otp_codegen::schema::{NoSuchType, schema, schemas};
use serde_json::Value;
use support::{installed, module, module_named};

/// The definitions of the types of `forms`, of which the last is the one asked for.
fn shown(forms: &str) -> String {
    let module = module(forms);
    let last = module.types.last().expect("a type");
    let schema = schema(std::slice::from_ref(&module), "m", &last.name, None).expect("a schema");
    let document = serde_json::to_string_pretty(&schema.document).expect("JSON");
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
    for forms in [
        "-type endless(T) :: none | {T, endless([T])}.",
        "-type doubling(T) :: none | [doubling({T, T})].",
    ] {
        let text = shown(forms);
        let document = text.split("\n\n").last().expect("a document");
        assert!(document.len() < 1_000_000, "{}", document.len());
        let document: Value = serde_json::from_str(document).expect("JSON");
        let definitions = document["$defs"].as_object().expect("definitions");
        assert!(definitions.len() < 60, "{}", definitions.len());
        assert!(jsonschema_references_resolve(&document));
    }
}

/// Every `$ref` leads to a definition.
fn jsonschema_references_resolve(document: &Value) -> bool {
    fn all(value: &Value, document: &Value) -> bool {
        match value {
            Value::Object(object) => object.iter().all(|(key, value)| match value {
                Value::String(pointer) if key == "$ref" => {
                    let pointer = pointer.trim_start_matches('#').replace("%20", " ");
                    let pointer = pointer.replace("%23", "#").replace("%5B", "[");
                    let pointer = pointer.replace("%5D", "]").replace("%7B", "{");
                    document.pointer(&pointer.replace("%7D", "}")).is_some()
                }
                value => all(value, document),
            }),
            Value::Array(elements) => elements.iter().all(|element| all(element, document)),
            _ => true,
        }
    }
    all(document, document)
}

#[test]
fn types_of_other_modules_are_found_or_named() {
    let one = module("-type t() :: {other:t(), none:t()}.");
    let other = module_named("other", "-export_type([t/0]).\n-type t() :: ok.");
    let found = schema(&[one.clone(), other], "m", "t", Some(0)).expect("a schema");
    assert_eq!(found.missing.into_iter().collect::<Vec<_>>(), ["none"]);
    let definitions = &found.document["$defs"];
    assert_eq!(definitions["other:t()"]["const"], "ok");
    let elements = &definitions["m:t()"]["properties"]["$"]["prefixItems"];
    assert_eq!(elements[1]["$ref"], "#/$defs/term()");

    let missing = |name, arity| schema(std::slice::from_ref(&one), "m", name, arity);
    assert_eq!(
        missing("s", None),
        Err(NoSuchType::Name(vec!["t/0".to_owned()]))
    );
    assert_eq!(missing("t", Some(1)), Err(NoSuchType::Arity(vec![0])));
    assert_eq!(schema(&[one], "n", "t", None), Err(NoSuchType::Module));
}

/// The schemas of all types of the modules whose Rust types are part of otp-bridge; its tests hold
/// them equal to those of the Rust types.
#[test]
fn the_checked_in_schemas_are_fresh() {
    let (stdlib, release) = installed();
    // Those of another release differ by right.
    if release != "25" {
        return;
    }
    for name in ["gen_server", "supervisor"] {
        let path = stdlib.join("ebin").join(format!("{name}.beam"));
        let bytes = std::fs::read(&path).expect("a module of stdlib");
        let parsed = otp_specs::parse_beam(&path.to_string_lossy(), &bytes);
        let (module, _) = otp_specs::resolve(&parsed.module, &mut otp_specs::Trusting);
        let schemas = schemas(std::slice::from_ref(&module), name).expect("schemas");
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
