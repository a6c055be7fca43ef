//! JSON Schemas of property values.

use serde_json::{Value, json};

use super::data::{Data, Number};

/// Returns the schema of a property's value, in the representation of
/// [`Value::json`](super::Value::json).
#[must_use]
pub fn schema(data: &Data) -> Value {
    match data {
        Data::Number(number) => of_number(number),
        Data::State { values, .. } => {
            let names: Vec<&str> = values.iter().map(|it| it.name).collect();
            let is_flag = |name: &&str| matches!(*name, "true" | "false");
            match names.iter().all(is_flag) {
                true if names.len() == 2 => json!({ "type": "boolean" }),
                true => json!({ "const": names == ["true"] }),
                false => json!({ "enum": names.iter().map(flag_or_text).collect::<Vec<_>>() }),
            }
        }
        Data::Level { count, .. } => json!({ "type": "integer", "minimum": 1, "maximum": count }),
        Data::Raw { least, most } => json!({
            "type": "string",
            "pattern": format!("^([0-9A-F]{{2}}){{{least},{most}}}$"),
        }),
        Data::Time { size } => pattern("[0-2][0-9](:[0-5][0-9])", size - 1),
        Data::Date { size: 4 } => json!({ "type": "string", "format": "date" }),
        Data::Date { size } => pattern(
            "[0-9]{4}-[01][0-9]-[0-3][0-9] [0-2][0-9](:[0-5][0-9])",
            size - 5,
        ),
        Data::List {
            least, most, items, ..
        } => {
            json!({ "type": "array", "items": schema(items), "minItems": least, "maxItems": most })
        }
        Data::Object(fields) => object(fields.iter().map(|(name, field)| (*name, field))),
        Data::Bits { fields, .. } => {
            object(fields.iter().map(|(name, _, _, field)| (*name, field)))
        }
        Data::OneOf(all) => json!({ "anyOf": all.iter().map(schema).collect::<Vec<_>>() }),
    }
}

fn flag_or_text(name: &&str) -> Value {
    match *name {
        "true" => json!(true),
        "false" => json!(false),
        name => json!(name),
    }
}

fn pattern(text: &str, times: usize) -> Value {
    json!({ "type": "string", "pattern": format!("^{text}{{{times}}}$") })
}

fn of_number(number: &Number) -> Value {
    let scaled = |it: i64| match number.divisor {
        1 => json!(it * number.times),
        divisor => json!(it as f64 / divisor as f64),
    };
    let kind = if number.divisor == 1 {
        "integer"
    } else {
        "number"
    };
    let mut schema =
        json!({ "type": kind, "minimum": scaled(number.least), "maximum": scaled(number.most) });
    if number.divisor != 1 {
        schema["multipleOf"] = json!(1.0 / number.divisor as f64);
    }
    if !number.unit.is_empty() {
        schema["x-unit"] = json!(number.unit);
    }
    if let Some(epc) = number.coefficient {
        schema["x-coefficient"] = json!(format!("{epc:02X}"));
    }
    schema
}

fn object<'d>(fields: impl Iterator<Item = (&'static str, &'d Data)> + Clone) -> Value {
    let required: Vec<&str> = fields.clone().map(|(name, _)| name).collect();
    let properties: serde_json::Map<_, _> = fields
        .map(|(name, it)| (name.to_owned(), schema(it)))
        .collect();
    json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    use super::super::property;
    use super::*;

    #[test]
    fn schemas_say_ranges_units_and_names() {
        let of = |class, epc| schema(&property(class, epc).expect("a property").data);
        assert_eq!(of(0x0290, 0x80), json!({ "type": "boolean" }));
        let percent = json!({ "type": "integer", "minimum": 0, "maximum": 100, "x-unit": "%" });
        assert_eq!(of(0x0290, 0xB0), percent);
        let sensor = of(0x0011, 0xE0);
        assert_eq!(
            (&sensor["type"], &sensor["minimum"]),
            (&json!("number"), &json!(-273.2))
        );
    }
}
