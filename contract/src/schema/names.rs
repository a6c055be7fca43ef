//! Which atoms are of a schema: what the keys of an object may be.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Predefined;

/// The atoms of a schema.
pub(super) enum Names {
    /// All atoms, or it is not known which.
    Any,
    /// Only these, by their texts.
    These(BTreeSet<String>),
}

impl Names {
    fn one(name: &str) -> Names {
        Names::These(BTreeSet::from([name.to_owned()]))
    }

    fn none() -> Names {
        Names::These(BTreeSet::new())
    }

    fn and(self, other: Names) -> Names {
        match (self, other) {
            (Names::These(left), Names::These(right)) => Names::These(&left | &right),
            (Names::Any, _) | (_, Names::Any) => Names::Any,
        }
    }
}

/// The atoms of a schema. A reference is followed only to the predefined types.
pub(super) fn names(schema: &Value) -> Names {
    let all = |values: &[Value], names: fn(&Value) -> Names| {
        values.iter().map(names).fold(Names::none(), Names::and)
    };
    if let Some(constant) = schema.get("const") {
        return constant_name(constant);
    }
    for (key, names) in [
        ("enum", constant_name as fn(&Value) -> Names),
        ("anyOf", names),
    ] {
        if let Some(Value::Array(values)) = schema.get(key) {
            return all(values, names);
        }
    }
    if let Some(Value::String(pointer)) = schema.get("$ref") {
        let name = pointer.rsplit('/').next().unwrap_or_default();
        let of_atoms = [Predefined::Atom, Predefined::Term].map(Predefined::name);
        let is_predefined = Predefined::ALL.iter().any(|known| known.name() == name);
        if of_atoms.contains(&name) || !is_predefined {
            return Names::Any;
        }
        return Names::none();
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("boolean") => Names::one("true").and(Names::one("false")),
        Some("integer" | "number" | "array" | "object") => Names::none(),
        _ if *schema == Value::Bool(false) => Names::none(),
        _ => Names::Any,
    }
}

fn constant_name(constant: &Value) -> Names {
    match constant {
        Value::Null => Names::one("undefined"),
        Value::Bool(true) => Names::one("true"),
        Value::Bool(false) => Names::one("false"),
        Value::String(text) => Names::one(text),
        Value::Number(_) | Value::Array(_) | Value::Object(_) => Names::none(),
    }
}
