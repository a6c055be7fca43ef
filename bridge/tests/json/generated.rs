//! Checks that the schemas of generated types are those that `otp-rs schema` creates directly from
//! Erlang's types.

use std::collections::BTreeMap;

use otp_bridge::json::JsonRepresentation;
use otp_bridge::{Term, gen_server, supervisor};
use otp_contract::rust::snake_case;
use serde_json::{Map, Value, json};

use crate::generate::{self, atom};
use crate::support::{schema, there_and_back, validator};

/// Returns the schemas of a module, from its typespecs. Tests of codegen keep them fresh.
fn from_erlang(module: &str) -> Value {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../codegen/tests/schemas");
    let text = std::fs::read_to_string(format!("{folder}/{module}.json")).expect("a file");
    serde_json::from_str(&text).expect("JSON")
}

/// Returns a schema without arbitrary parts: names of definitions, descriptions, the order and
/// nesting of a union's members. Erlang's predefined types remain references.
fn plain(schema: &Value, document: &Value) -> Value {
    match schema {
        Value::Object(object) => plain_object(object, document),
        Value::Array(elements) => {
            let elements = elements.iter().map(|element| plain(element, document));
            Value::Array(elements.collect())
        }
        other => other.clone(),
    }
}

fn plain_object(object: &Map<String, Value>, document: &Value) -> Value {
    if let Some(Value::String(pointer)) = object.get("$ref") {
        let name = pointer.trim_start_matches("#/$defs/");
        if name.ends_with("()") && !name.contains(':') {
            return json!({ "$ref": name });
        }
        // The name of a record has these characters.
        let encoded = [("%23", "#"), ("%7B", "{"), ("%7D", "}")];
        let pointer = pointer.trim_start_matches('#').to_owned();
        let pointer = encoded.iter().fold(pointer, |pointer, (code, letter)| {
            pointer.replace(code, letter)
        });
        let target = document.pointer(&pointer);
        return plain(target.expect("a definition"), document);
    }
    if let Some(Value::Array(members)) = object.get("anyOf") {
        let mut all: BTreeMap<String, Value> = BTreeMap::new();
        for member in members {
            let member = plain(member, document);
            let nested = member.get("anyOf").and_then(Value::as_array).cloned();
            for member in nested.unwrap_or(vec![member]) {
                let constants = member.get("enum").and_then(Value::as_array).cloned();
                let members = match constants {
                    Some(constants) => constants
                        .iter()
                        .map(|one| json!({ "const": one }))
                        .collect(),
                    None => vec![member],
                };
                all.extend(
                    members
                        .into_iter()
                        .map(|member| (member.to_string(), member)),
                );
            }
        }
        return json!({ "anyOf": all.into_values().collect::<Vec<_>>() });
    }
    if let Some(Value::Array(constants)) = object.get("enum") {
        let members: Vec<Value> = constants
            .iter()
            .map(|one| json!({ "const": one }))
            .collect();
        return plain(&json!({ "anyOf": members }), document);
    }
    let matters =
        |key: &&String| !matches!(key.as_str(), "description" | "title" | "$schema" | "$defs");
    let keys = object.keys().filter(matters);
    let kept = keys.map(|key| {
        let value = match (key.as_str(), &object[key]) {
            ("required", Value::Array(names)) => {
                let mut names: Vec<String> = names.iter().map(ToString::to_string).collect();
                names.sort();
                Value::from(names)
            }
            ("const", constant) => constant.clone(),
            (_, value) => plain(value, document),
        };
        (key.clone(), value)
    });
    let mut kept: Map<String, Value> = kept.collect();
    // The bridge's own types ignore other keys, which their Erlang types do not have.
    if kept.contains_key("propertyNames") && !kept.contains_key("additionalProperties") {
        kept.remove("propertyNames");
        kept.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    Value::Object(kept)
}

/// Compares types of a module. `but` lists the types whose Rust schema has less or more, with the
/// reason.
macro_rules! equal {
    ($module:ident: $($rust:ident)*; but $($erlang:literal: $reason:literal;)*) => {{
        let erlang = from_erlang(stringify!($module));
        let mut compared: Vec<String> = Vec::new();
        $({
            let name = snake_case(stringify!($rust));
            let of_erlang = &erlang["$defs"][&format!("{}:{name}()", stringify!($module))];
            let of_rust = schema::<$module::$rust>();
            let rust = plain(&of_rust, &of_rust);
            assert_eq!(rust, plain(of_erlang, &erlang), "{name}");
            compared.push(name);
        })*
        compared.extend([$($erlang.to_owned()),*]);
        let of_module = concat!(stringify!($module), ":");
        let names = erlang["$defs"].as_object().expect("definitions").keys();
        let names = names.filter_map(|name| name.strip_prefix(of_module)?.strip_suffix("()"));
        let left: Vec<&str> = names.filter(|name| compared.iter().all(|done| done != name)).collect();
        assert!(left.is_empty(), "not compared: {left:?}");
    }};
}

#[test]
fn the_supervisors() {
    equal! { supervisor:
        AutoShutdown Child ChildId Mfargs Modules Restart Significant Shutdown Worker SupName
        SupRef ChildSpec Strategy SupFlags Children ChildRec State StartlinkErr StartlinkRet
        StartchildErr StartchildRet InitSupName StopRsn Call;
        but
    }
}

#[test]
fn the_servers() {
    equal! { gen_server:
        FormatStatus ReplyTag RequestId RequestIdCollection ResponseTimeout ServerName ServerRef
        StartOpt EnterLoopOpt StartRet StartMonRet;
        but
        "from": "the Rust type is generic in the reply and keeps the term as it is";
    }
}

/// Terms that Erlang accepts as child specifications and flags, by their generated types.
#[test]
fn values_of_generated_types() {
    let start = generate::tuple([atom("m"), atom("f"), generate::list([generate::integer(1)])]);
    let map = generate::map([
        (atom("id"), generate::bytes(b"one")),
        (atom("start"), start.clone()),
        (atom("shutdown"), atom("infinity")),
        (atom("modules"), atom("dynamic")),
    ]);
    let tuple = generate::tuple([
        generate::integer(1),
        start,
        atom("transient"),
        generate::integer(5000),
        atom("worker"),
        generate::list([atom("m")]),
    ]);
    of_terms::<supervisor::ChildSpec>(&[map, tuple]);
    let flags = generate::map([(atom("strategy"), atom("one_for_all"))]);
    let old = generate::tuple([
        atom("one_for_one"),
        generate::integer(1),
        generate::integer(5),
    ]);
    of_terms::<supervisor::SupFlags>(&[flags, old, generate::map([])]);
    let names = [
        generate::tuple([atom("local"), atom("a")]),
        generate::tuple([atom("global"), generate::integer(1)]),
        generate::tuple([atom("via"), atom("m"), generate::bytes(&[255])]),
    ];
    of_terms::<supervisor::SupName>(&names);
    let references = [
        atom("a"),
        generate::tuple([atom("a"), atom("b@c")]),
        generate::pid("a@b", 1, 2),
    ];
    of_terms::<supervisor::SupRef>(&[&references[..], &names[1..]].concat());
}

fn of_terms<T: JsonRepresentation + std::fmt::Debug>(terms: &[Term]) {
    let validator = validator::<T>();
    for term in terms {
        let value: T = term.decode().expect("a term of the type");
        there_and_back(&validator, value);
    }
}

#[test]
fn predefined_types() {
    #[derive(Debug, otp_bridge::Term)]
    struct All {
        term: otp_bridge::Term,
        bits: otp_bridge::term::Bitstring,
        number: otp_bridge::term::NonemptyList<std::num::NonZeroU64>,
        data: otp_bridge::term::Iodata,
        least: otp_bridge::term::NegInteger,
        natural: u64,
    }
    let of_rust = schema::<All>();
    let mut found = Vec::new();
    for module in ["supervisor", "gen_server"] {
        let erlang = from_erlang(module);
        for (name, definition) in erlang["$defs"].as_object().expect("definitions") {
            if !name.contains(':') {
                let of_rust = &of_rust["$defs"][name];
                assert_eq!(
                    plain(of_rust, of_rust),
                    plain(definition, &erlang),
                    "{name}"
                );
                found.push(name.clone());
            }
        }
    }
    assert!(found.contains(&"term()".to_owned()), "{found:?}");
}
