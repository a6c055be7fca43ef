//! Protocols as an AsyncAPI 3.0 document: a channel for each module, an operation for each message.
//!
//! Source: the AsyncAPI specification 3.0.0, "Schema" and "Multi Format Schema Object".

use std::collections::{BTreeMap, BTreeSet};

use otp_codegen::schema::pointer;
use serde_json::{Map, Value, json};

use super::{MessageKind, ProcessMessage, Protocol};
use crate::report::{Result, catalog};

/// The subject of the document.
pub(crate) struct About<'a> {
    pub(crate) title: &'a str,
    pub(crate) version: &'a str,
    pub(crate) description: &'a str,
}

/// Returns the document. `definitions` are the schemas of all types, by name; `name_of` returns the
/// name of a module's type among them.
pub(crate) fn asyncapi(
    about: &About<'_>,
    protocols: &[Protocol],
    definitions: &Map<String, Value>,
    name_of: impl Fn(&str, &str) -> String,
) -> Result<Value> {
    let keys = keys(definitions.keys());
    let payload = |module: &str, ty: &str| -> Result<Value> {
        let name = name_of(module, ty);
        let key = keys
            .get(&name)
            .ok_or_else(|| catalog::INTERNAL.with(&[&format!("there is no schema of {name}")]))?;
        Ok(json!({ "payload": { "$ref": format!("#/components/schemas/{key}") } }))
    };
    let (mut channels, mut operations) = (Map::new(), Map::new());
    for protocol in protocols {
        let key = key(&protocol.module.name);
        for message in &protocol.messages {
            let name = format!("{key}.{}", message_keys(message).0);
            operations.insert(name, operation(&key, message));
        }
        channels.insert(key, channel(protocol, &payload)?);
    }
    let mut info = json!({ "title": about.title, "version": about.version });
    if !about.description.is_empty() {
        info["description"] = json!(about.description);
    }
    Ok(json!({
        "asyncapi": "3.0.0",
        "info": info,
        "defaultContentType": "application/json",
        "channels": channels,
        "operations": operations,
        "components": { "schemas": schemas(definitions, &keys) },
    }))
}

fn channel(protocol: &Protocol, payload: &impl Fn(&str, &str) -> Result<Value>) -> Result<Value> {
    let module = &protocol.module.name;
    let mut messages = Map::new();
    for message in &protocol.messages {
        let (ask, reply) = message_keys(message);
        messages.insert(ask, payload(module, &message.ty)?);
        if let (Some(reply), Some(ty)) = (reply, &message.reply) {
            messages.insert(reply, payload(module, ty)?);
        }
    }
    let mut channel = json!({ "address": module, "messages": messages });
    if !protocol.doc.is_empty() {
        channel["description"] = json!(protocol.doc);
    }
    Ok(channel)
}

/// Returns the schemas by their keys.
fn schemas(
    definitions: &Map<String, Value>,
    keys: &BTreeMap<String, String>,
) -> Map<String, Value> {
    let pointers = keys.iter().map(|(name, key)| (pointer(name), key.clone()));
    let pointers: BTreeMap<String, String> = pointers.collect();
    let schemas = definitions.iter().map(|(name, schema)| {
        let schema = refer(schema.clone(), &pointers);
        let schema =
            json!({ "schemaFormat": "application/schema+json;version=2020-12", "schema": schema });
        (keys[name].clone(), schema)
    });
    schemas.collect()
}

/// Returns the keys of a message and of its reply in their channel.
fn message_keys(message: &ProcessMessage) -> (String, Option<String>) {
    let ask = format!("{}.{}", message.kind.name(), key(&message.name));
    let reply = message.reply.as_ref().map(|_| format!("{ask}.reply"));
    (ask, reply)
}

fn operation(channel: &str, message: &ProcessMessage) -> Value {
    let (ask, reply) = message_keys(message);
    let place = json!({ "$ref": format!("#/channels/{channel}") });
    let of = |key: &str| json!([{ "$ref": format!("#/channels/{channel}/messages/{key}") }]);
    let summary = match message.kind {
        MessageKind::Call => "called, and answers",
        MessageKind::Cast => "cast",
        MessageKind::Event => "notified",
        MessageKind::Info => "sent as a message",
    };
    let mut operation = json!({
        "action": "receive",
        "summary": summary,
        "channel": place,
        "messages": of(&ask),
    });
    if let Some(reply) = reply {
        operation["reply"] = json!({ "channel": place, "messages": of(&reply) });
    }
    operation
}

/// Returns a valid key of AsyncAPI: letters, digits, `.`, `-` and `_`.
pub(super) fn key(name: &str) -> String {
    let is_fine = |it: char| it.is_ascii_alphanumeric() || "-_".contains(it);
    let parts: Vec<&str> = name
        .split(|it| !is_fine(it))
        .filter(|part| !part.is_empty())
        .collect();
    match parts.join(".") {
        empty if empty.is_empty() => "_".to_owned(),
        key => key,
    }
}

/// Returns a distinct key for each name.
fn keys<'a>(names: impl Iterator<Item = &'a String>) -> BTreeMap<String, String> {
    let mut taken = BTreeSet::new();
    let mut keys = BTreeMap::new();
    for name in names {
        let wanted = key(name);
        let mut key = wanted.clone();
        let mut number = 1;
        while !taken.insert(key.clone()) {
            number += 1;
            key = format!("{wanted}.{number}");
        }
        keys.insert(name.clone(), key);
    }
    keys
}

/// Rewrites a schema's references to definitions for AsyncAPI. `keys` are those of the definitions,
/// by their pointers.
fn refer(schema: Value, keys: &BTreeMap<String, String>) -> Value {
    match schema {
        Value::Array(values) => values.into_iter().map(|value| refer(value, keys)).collect(),
        Value::Object(members) => {
            let member = |(name, value): (String, Value)| match value
                .as_str()
                .and_then(|pointer| keys.get(pointer))
            {
                Some(key) if name == "$ref" => {
                    (name, json!(format!("#/components/schemas/{key}/schema")))
                }
                _ => (name, refer(value, keys)),
            };
            Value::Object(members.into_iter().map(member).collect())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_asyncapis_and_differ() {
        let names = ["a:'call b'()", "a:call b()", "ü", "pid"].map(str::to_owned);
        let keys = keys(names.iter());
        let keys: Vec<&str> = keys.values().map(String::as_str).collect();
        assert_eq!(keys, ["a.call.b", "a.call.b.2", "pid", "_"]);
    }

    #[test]
    fn references_follow_their_definitions() {
        let keys = BTreeMap::from([(pointer("m:t()"), "m.t".to_owned())]);
        let schema = json!({ "items": [{ "$ref": "#/$defs/m:t()" }], "$ref": { "$ref": 1 } });
        let expected = json!({ "items": [{ "$ref": "#/components/schemas/m.t/schema" }], "$ref": { "$ref": 1 } });
        assert_eq!(refer(schema, &keys), expected);
    }
}
