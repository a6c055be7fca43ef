//! Checks that a schema accepts a JSON text exactly if decoding accepts it, both for the schema of
//! the Rust type and for the one that is generated directly from the Erlang type. docs/json.md
//! lists the facts that JSON Schema cannot express; this test writes the list.

use std::collections::BTreeMap;

use otp_bridge::Term;
use otp_bridge::json::{Json, JsonRepresentation, Position};
use otp_bridge::term::DecodeError;
use otp_codegen::Overrides;
use otp_codegen::schema::schema;
use otp_specs::types::{Module, TypeDef};
use serde_json::{Value, json};

use crate::agreement::{samples, trip, types};
use crate::limits::{Difference, LIMITS, reason};
use crate::modules;
use crate::odd::{TEXTS, changed};
use crate::oracle::Oracle;
use crate::sample::Random;
use crate::trips::Trip;

/// Number of terms of each type, and of changes of their JSON.
const TERMS: usize = 12;
const CHANGES: usize = 3;

const PAGE: &str = "../../docs/json.md";
const BEGIN: &str = "<!-- The test `schemas` of tests/tests/expectations writes this list. -->\n";
const END: &str = "<!-- The list ends. -->\n";

fn read(tag: &str, json: &Value) -> Result<Trip, DecodeError> {
    let wrapped = json!({ format!("${tag}"): [json] });
    Trip::from_json(&wrapped, Position::Alone)
}

/// Returns the definitions that a schema refers to, directly and indirectly.
fn referred(schema: &Value, definitions: &Value) -> Value {
    let mut found = serde_json::Map::new();
    let mut open = vec![schema];
    while let Some(part) = open.pop() {
        match part {
            Value::Object(entries) => open.extend(entries.values()),
            Value::Array(elements) => open.extend(elements),
            Value::String(pointer) => {
                let Some(name) = pointer.strip_prefix("#/$defs/") else {
                    continue;
                };
                let definition = &definitions[name];
                assert!(!definition.is_null(), "{name} is defined");
                if found.insert(name.to_owned(), definition.clone()).is_none() {
                    open.push(definition);
                }
            }
            _ => {}
        }
    }
    Value::Object(found)
}

/// Returns the schemas of a type: of the Rust type, and directly of the Erlang type.
fn validators(
    rust: &Value,
    modules: &[Module],
    module: &Module,
    definition: &TypeDef,
) -> [jsonschema::Validator; 2] {
    let tag = format!("${}:{}", module.name, definition.name);
    let members = rust["$defs"]["Trip"]["anyOf"].as_array();
    let member = members
        .into_iter()
        .flatten()
        .find(|member| member["required"][0] == tag.as_str());
    let member = member.unwrap_or_else(|| panic!("{tag} has a schema"));
    let own = &member["properties"][&tag]["prefixItems"][0];
    let of_rust = json!({ "$defs": referred(own, &rust["$defs"]), "allOf": [own] });
    let of_erlang = schema(
        modules,
        &Overrides::default(),
        &module.name,
        &definition.name,
        Some(0),
    );
    let of_erlang = of_erlang.expect("a schema").document;
    [&of_rust, &of_erlang]
        .map(|document| jsonschema::draft202012::new(document).expect("a good schema"))
}

/// Returns texts of a type, and texts that resemble them.
fn texts_of(oracle: &Oracle<'_>, module: &Module, definition: &TypeDef) -> Vec<Value> {
    let mut random = Random::new(38);
    let mut all = TEXTS.clone();
    for (term, near) in samples(oracle, &definition.body).into_iter().take(TERMS) {
        let typed = trip(module, definition, term.clone()).decode::<Trip>();
        let typed = typed.ok().and_then(|typed| {
            let json = typed.to_json(Position::Alone);
            json.as_object()?.values().next()?.get(0).cloned()
        });
        for json in [Some(of(&term)), Some(of(&near)), typed]
            .into_iter()
            .flatten()
        {
            for _ in 0..CHANGES {
                all.push(changed(&json, &mut random));
            }
            all.push(json);
        }
    }
    all
}

fn of(term: &Term) -> Value {
    serde_json::to_value(Json(term.clone())).expect("JSON")
}

#[test]
fn a_schema_accepts_what_reading_accepts() {
    let modules = modules();
    let oracle = Oracle::new(&modules);
    let rust = otp_bridge::json::dependencies::schemars::SchemaGenerator::default()
        .into_root_schema_for::<Json<Trip>>()
        .to_value();
    let mut found = [0; LIMITS.len()];
    let (mut accepted, mut refused) = (0, 0);
    let mut wrong: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for (module, definition) in types(&modules) {
        let tag = format!("{}:{}", module.name, definition.name);
        let [of_rust, of_erlang] = validators(&rust, &modules, module, definition);
        for json in texts_of(&oracle, module, definition) {
            let read = read(&tag, &json);
            let expected = [read.is_ok(); 2];
            *if expected[0] {
                &mut accepted
            } else {
                &mut refused
            } += 1;
            let valid = [of_rust.is_valid(&json), of_erlang.is_valid(&json)];
            if valid == expected {
                continue;
            }
            let difference = Difference {
                json: &json,
                error: read.as_ref().err(),
                accepts: &|json: &Value| self::read(&tag, json).is_ok(),
            };
            match reason(&difference) {
                Some(reason) => found[reason] += 1,
                None => {
                    let read = read.map(|_| ()).map_err(|error| error.to_string());
                    let key = format!("{tag} (rust, erlang) = {valid:?}");
                    let one = wrong.entry(key).or_insert((0, format!("{json}: {read:?}")));
                    one.0 += 1;
                }
            }
        }
    }
    let lines = wrong
        .iter()
        .map(|(key, (count, example))| format!("{count} {key} {example}"));
    let lines: Vec<String> = lines.collect();
    assert!(lines.is_empty(), "{}\n{}", lines.len(), lines.join("\n"));
    assert!(accepted > 5_000 && refused > 5_000, "{accepted} {refused}");
    for (limit, count) in LIMITS.iter().zip(found) {
        assert!(count > 0, "no text shows any more: {}", limit.text);
    }
    assert_listed();
}

/// Checks that the list on the page is the one in this test.
fn assert_listed() {
    let path = crate::folder().join(PAGE);
    let page = std::fs::read_to_string(&path).expect("the page");
    let list: String = LIMITS
        .iter()
        .map(|limit| format!("- {}\n", limit.text))
        .collect();
    let (before, rest) = page.split_once(BEGIN).expect("where the list begins");
    let (_, after) = rest.split_once(END).expect("where the list ends");
    let fresh = format!("{before}{BEGIN}{list}{END}{after}");
    if page != fresh {
        std::fs::write(&path, fresh).expect("the page can be written");
        panic!("the list in docs/json.md was stale; it is written anew");
    }
}
