//! `cargo otp schema`: the messages and replies of processes.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{Said, Scratch, cargo_otp, said};

/// Two requests with a reply each, a cast, and a message that OTP sends.
const TILL: &str = r"
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::Timeout;

/// The amounts that were paid.
#[derive(Debug)]
pub struct Till {
    sum: u64,
}

#[derive(Debug, Term)]
#[reply(u64)]
pub struct Sum;

#[derive(Debug, Term)]
#[reply(ok)]
pub struct Pay(pub u64, pub Coin);

#[derive(Debug, Term)]
pub enum Coin {
    Gold,
    Silver,
}

#[derive(Debug, Term)]
pub struct Open;

#[gen_server]
impl GenServer for Till {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Till { sum: 0 })
    }

    fn handle_call(&self, _: Sum) -> HandleCall<u64> {
        reply(self.sum)
    }

    fn handle_call(&mut self, Pay(coins, coin): Pay) -> HandleCall<ok> {
        let _ = coin;
        self.sum += coins;
        reply(ok)
    }

    fn handle_cast(&mut self, _: Open) -> HandleCast {
        noreply()
    }

    fn handle_info(&mut self, _: Timeout) -> HandleInfo {
        noreply()
    }
}
";

fn printed(scratch: &Scratch, more: &[&str]) -> Value {
    let said: Said = said(cargo_otp(
        &scratch.path("shop"),
        &[&["schema"], more].concat(),
    ));
    said.succeeded();
    serde_json::from_str(&said.out).expect("JSON")
}

fn keys(of: &Value) -> Vec<&str> {
    let members = of.as_object().expect("an object");
    members.keys().map(String::as_str).collect()
}

#[test]
fn each_message_has_a_type_and_its_reply() {
    let scratch = Scratch::with_application();
    scratch
        .cargo_otp("shop", &["add", "till", "gen_server"])
        .succeeded();
    scratch
        .cargo_otp("shop", &["add", "other", "gen_server"])
        .succeeded();
    scratch.write("shop/src/till.rs", TILL);

    let schema = printed(&scratch, &["till"]);
    assert_eq!(schema["title"], "shop 0.1.0");
    let definitions = &schema["$defs"];
    let own: Vec<&str> = keys(definitions)
        .into_iter()
        .filter_map(|name| name.strip_prefix("till:"))
        .filter(|name| name.contains(' ') || ["call()", "cast()", "info()"].contains(name))
        .collect();
    let expected = [
        "'call pay reply'()",
        "'call pay'()",
        "'call sum reply'()",
        "'call sum'()",
        "'cast open'()",
        "'info timers_timeout'()",
        "call()",
        "cast()",
        "info()",
    ];
    assert_eq!(own, expected);
    assert_eq!(
        definitions["till:'call sum'()"]["$ref"],
        "#/$defs/till:sum()"
    );
    assert_eq!(
        definitions["till:coin()"]["enum"],
        json!(["gold", "silver"])
    );
    assert!(
        keys(definitions)
            .iter()
            .all(|name| !name.starts_with("other:"))
    );

    let document = printed(&scratch, &["--format", "asyncapi"]);
    assert_eq!(document["asyncapi"], "3.0.0");
    assert_eq!(keys(&document["channels"]), ["other", "till"]);
    let pay = &document["operations"]["till.call.pay"];
    assert_eq!(
        pay["reply"]["messages"],
        json!([{ "$ref": "#/channels/till/messages/call.pay.reply" }])
    );
    assert!(document["operations"]["till.cast.open"]["reply"].is_null());
    for pointer in references(&document) {
        let place = pointer.strip_prefix('#').expect("within the document");
        assert!(document.pointer(place).is_some(), "{pointer}");
    }

    check_schemas(&schema, &document);

    scratch
        .cargo_otp("shop", &["schema", "tlil"])
        .refused(&["E1019", "`tlil`", "`till`"]);
}

/// Both documents consist of schemas that are valid according to JSON Schema's own schema, and
/// accept the same values.
fn check_schemas(schema: &Value, document: &Value) {
    let parts = document["components"]["schemas"]
        .as_object()
        .expect("schemas");
    assert!(jsonschema::meta::is_valid(schema), "{schema:#}");
    for (name, part) in parts {
        assert!(
            jsonschema::meta::is_valid(&part["schema"]),
            "{name}: {part:#}"
        );
    }
    // A reference can be resolved only within its document.
    let mut whole = schema.clone();
    whole["$ref"] = json!("#/$defs/till:'call%20pay'()");
    let payload = &document["channels"]["till"]["messages"]["call.pay"]["payload"]["$ref"];
    let payload = payload.as_str().expect("a reference");
    let of_asyncapi =
        json!({ "components": document["components"], "$ref": format!("{payload}/schema") });
    for (value, is_valid) in [
        (json!({ "$pay": [5, "gold"] }), true),
        (json!({ "$pay": [5, "lead"] }), false),
        (json!({ "$pay": [-5, "gold"] }), false),
        (json!({ "$pay": [5] }), false),
    ] {
        for document in [&whole, &of_asyncapi] {
            let found = jsonschema::draft202012::is_valid(document, &value);
            assert_eq!(found, is_valid, "{value} in {document:#}");
        }
    }
}

fn references(value: &Value) -> BTreeSet<String> {
    match value {
        Value::Array(values) => values.iter().flat_map(references).collect(),
        Value::Object(members) => {
            let mut all: BTreeSet<String> = members.values().flat_map(references).collect();
            all.extend(
                members
                    .get("$ref")
                    .and_then(Value::as_str)
                    .map(str::to_owned),
            );
            all
        }
        _ => BTreeSet::new(),
    }
}
