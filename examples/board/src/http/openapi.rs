//! The OpenAPI description of the API, generated from the schemas of its types.

use axum::http::header;
use axum::response::IntoResponse;
use otp_bridge::json::Json;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::limits;
use crate::messages::{Board, Done, Edit, Message, MessagePage, NewBoard, NewMessage, Refused};

/// Control characters, as a class of a regular expression ([`char::is_control`]).
const CONTROL: &str = r"\u0000-\u001f\u007f-\u009f";
/// Spaces that are not control characters ([`char::is_whitespace`]).
const SPACE: &str = r" \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000";

/// `GET /api/openapi.json`
pub(super) async fn document() -> impl IntoResponse {
    (
        [(header::CONTENT_TYPE, "application/json")],
        described().to_string(),
    )
}

/// Builds the document in OpenAPI 3.1, whose schemas are those of JSON Schema 2020-12.
fn described() -> Value {
    let settings = SchemaSettings::draft2020_12();
    let mut settings = settings.with(|it| it.definitions_path = "/components/schemas".into());
    settings.meta_schema = None;
    let mut schemas = Schemas(settings.into_generator());
    let paths = json!({
        "/api/boards": {
            "get": schemas.operation::<Json<Vec<Board>>>("showBoards", "200", &[]),
            "post": schemas.taking::<NewBoard, Done>("createBoard", "201", &[]),
        },
        "/api/boards/{board}": {
            "delete": schemas.operation::<Done>("deleteBoard", "200", &["board"]),
        },
        "/api/boards/{board}/messages": {
            "get": schemas.operation::<MessagePage>("showBoard", "200", &["board", "before"]),
            "post": schemas.taking::<NewMessage, Done>("createBoardMessage", "201", &["board"]),
        },
        "/api/boards/{board}/messages/{message}": {
            "get": schemas.operation::<Message>("showBoardMessage", "200", &["board", "message"]),
            "put": schemas.taking::<Edit, Done>("editMessage", "200", &["board", "message"]),
            "delete": schemas.operation::<Done>("deleteMessage", "200", &["board", "message"]),
        },
    });
    let mut schemas = schemas.0.take_definitions(true);
    restrict(&mut schemas);
    let mut document = json!({
        "openapi": "3.1.0",
        "info": { "title": "Bulletin boards", "version": env!("CARGO_PKG_VERSION") },
        "paths": paths,
        "components": { "schemas": schemas },
    });
    rename(&mut document);
    document
}

/// Restricts the fields of requests to what the server takes.
fn restrict(schemas: &mut Map<String, Value>) {
    let mut set = |kind: &str, field: &str, schema: Value| {
        let kind = schemas.get_mut(kind);
        if let Some(known) = kind.and_then(|it| it.pointer_mut(&format!("/properties/{field}"))) {
            *known = schema;
        }
    };
    let line = format!("^[{SPACE}]*[^{CONTROL}{SPACE}][^{CONTROL}]*$");
    // A carriage return is only allowed before a line feed.
    let text = format!(
        "^(?:[\\t\\n{SPACE}]|\\r\\n)*[^{CONTROL}{SPACE}](?:[^{CONTROL}]|[\\t\\n]|\\r\\n)*$"
    );
    for (kind, field, limit, pattern) in [
        ("NewBoard", "name", limits::NAME, &line),
        ("NewMessage", "author", limits::NAME, &line),
        ("NewMessage", "text", limits::TEXT, &text),
        ("Edit", "text", limits::TEXT, &text),
    ] {
        let schema = json!({
            "type": "string",
            "minLength": 1,
            "maxLength": limit,
            "pattern": pattern,
        });
        set(kind, field, schema);
    }
    // The schema of the type also has the form of numbers that JSON cannot have.
    set("Edit", "version", number());
}

/// Renames schemas: names in OpenAPI allow fewer characters than Erlang's types have, for example
/// `non_neg_integer()`.
fn rename(value: &mut Value) {
    const PREFIX: &str = "#/components/schemas/";
    let is_taken = |letter: &char| letter.is_ascii_alphanumeric() || "._-".contains(*letter);
    let name = |text: &str| text.chars().filter(is_taken).collect::<String>();
    match value {
        Value::Object(fields) => {
            if let Some(Value::Object(schemas)) = fields.get_mut("schemas") {
                let all = std::mem::take(schemas).into_iter();
                schemas.extend(all.map(|(key, schema)| (name(&key), schema)));
            }
            if let Some(Value::String(path)) = fields.get_mut("$ref")
                && let Some(of) = path.strip_prefix(PREFIX).map(name)
            {
                *path = format!("{PREFIX}{of}");
            }
            fields.values_mut().for_each(rename);
        }
        Value::Array(values) => values.iter_mut().for_each(rename),
        _ => {}
    }
}

struct Schemas(SchemaGenerator);

impl Schemas {
    /// Describes an operation that replies with an `R`.
    fn operation<R: JsonSchema>(&mut self, name: &str, status: &str, parameters: &[&str]) -> Value {
        let parameters: Vec<Value> = parameters.iter().map(|name| parameter(name)).collect();
        json!({
            "operationId": name,
            "parameters": parameters,
            "responses": {
                status: { "description": "done", "content": self.content::<R>() },
                "default": { "description": "refused", "content": self.content::<Refused>() },
            },
        })
    }

    /// Describes an operation that also has a `T` as its body.
    fn taking<T: JsonSchema, R: JsonSchema>(
        &mut self,
        name: &str,
        status: &str,
        parameters: &[&str],
    ) -> Value {
        let mut operation = self.operation::<R>(name, status, parameters);
        operation["requestBody"] = json!({ "required": true, "content": self.content::<T>() });
        operation
    }

    fn content<T: JsonSchema>(&mut self) -> Value {
        json!({ "application/json": { "schema": self.0.subschema_for::<T>() } })
    }
}

/// Describes a parameter: a number in the path, or the number at which a page of messages begins.
fn parameter(name: &str) -> Value {
    let place = if name == "before" { "query" } else { "path" };
    json!({
        "name": name,
        "in": place,
        "required": place == "path",
        "schema": number(),
    })
}

/// Describes a number of 64 bits.
fn number() -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": u64::MAX })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Collects all references in a value.
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => fields.iter().for_each(|(key, value)| match value {
                Value::String(path) if key == "$ref" => found.push(path.clone()),
                value => references(value, found),
            }),
            Value::Array(values) => values.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }

    /// The patterns of the document have the same spaces and control characters as the server.
    #[test]
    fn patterns_are_what_the_server_takes() {
        let in_class = |class: &str, character: char| {
            let mut rest = class.replace("\\u", "u");
            rest = rest.replace('-', " - ");
            let mut words = Vec::new();
            for word in rest.split('u').filter(|word| !word.trim().is_empty()) {
                let (code, after) = word.trim().split_at(4);
                let code = u32::from_str_radix(code, 16).expect("a code");
                words.push((code, after.trim() == "-"));
            }
            let mut words = words.into_iter();
            let mut found = class.starts_with(' ') && character == ' ';
            while let Some((first, is_range)) = words.next() {
                let last = match is_range {
                    true => words.next().map_or(first, |(last, _)| last),
                    false => first,
                };
                found |= (first..=last).contains(&u32::from(character));
            }
            found
        };
        for character in (0..=0x10ffff).filter_map(char::from_u32) {
            assert_eq!(in_class(CONTROL, character), character.is_control());
            let is_space = character.is_whitespace() && !character.is_control();
            assert_eq!(in_class(SPACE, character), is_space, "{character:?}");
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        let document = described();
        let mut found = Vec::new();
        references(&document, &mut found);
        assert!(found.len() > 10, "{found:?}");
        for reference in found {
            let pointer = reference.strip_prefix('#').expect("within the document");
            assert!(document.pointer(pointer).is_some(), "{reference}");
        }
        let names = document["components"]["schemas"]
            .as_object()
            .expect("schemas");
        assert!(names.keys().all(|name| !name.contains('(')), "{names:?}");
        let text = &document["components"]["schemas"]["NewMessage"]["properties"]["text"];
        assert_eq!(text["type"], "string", "{document:#}");
    }
}
