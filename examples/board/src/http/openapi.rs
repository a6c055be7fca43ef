//! The OpenAPI description of the API, generated from the schemas of its types.

use axum::http::header;
use axum::response::IntoResponse;
use otp_bridge::json::Json;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};

use crate::limits;
use crate::messages::{Board, Done, Edit, Message, MessagePage, NewBoard, NewMessage, Refused};

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
    for (kind, field, limit) in [
        ("NewBoard", "name", limits::NAME),
        ("NewMessage", "author", limits::NAME),
        ("NewMessage", "text", limits::TEXT),
        ("Edit", "text", limits::TEXT),
    ] {
        if let Some(field) = schemas
            .get_mut(kind)
            .and_then(|it| it.pointer_mut(&format!("/properties/{field}")))
        {
            *field = json!({ "type": "string", "minLength": 1, "maxLength": limit });
        }
    }
    let mut document = json!({
        "openapi": "3.1.0",
        "info": { "title": "Bulletin boards", "version": env!("CARGO_PKG_VERSION") },
        "paths": paths,
        "components": { "schemas": schemas },
    });
    rename(&mut document);
    document
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
        "schema": { "type": "integer", "minimum": 0, "maximum": u64::MAX },
    })
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
