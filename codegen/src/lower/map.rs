//! Maps: structs if keys are known atoms, with the other keys in one field; otherwise maps with one
//! type of key.

use otp_specs::types::{Constant, MapField, Type};

use super::position::Position;
use super::{Context, lower};
use crate::facts::bare;
use crate::ir::{DefaultValue, Field, ItemKind, Rest, RustType};
use crate::names::Taken;
use crate::report::Reason;
use crate::text;

pub(super) fn map(
    cx: &mut Context<'_>,
    ty: &Type,
    fields: &[MapField],
    position: &Position<'_>,
) -> RustType {
    if fields.is_empty() {
        return cx.precise(RustType::Runtime("EmptyMap", Vec::new()));
    }
    match map_kind(cx, fields, position) {
        Some(kind) => cx.anonymous(&position.names(), text::erlang(ty), kind, position),
        None => {
            let fields: Vec<&MapField> = fields.iter().collect();
            let (key, value) = associations(cx, &fields, position);
            RustType::Runtime("Map", vec![key, value])
        }
    }
}

/// Lowers a map with at least one known key. If two fields have the same key, the first one counts;
/// [`crate::facts::leftmost`] has already resolved the other fields.
pub(super) fn map_kind(
    cx: &mut Context<'_>,
    fields: &[MapField],
    position: &Position<'_>,
) -> Option<ItemKind> {
    let (known, others): (Vec<&MapField>, Vec<&MapField>) =
        fields.iter().partition(|field| known_key(field).is_some());
    if known.is_empty() {
        return None;
    }
    let position = position.outside_clause();
    let mut taken = Taken::default();
    // The constructor's name, which a setter must not have.
    taken.claim("new");
    let is_struct = is_struct(cx, &known);
    let mut lowered: Vec<Field> = Vec::new();
    for field in known {
        let key = known_key(field)?;
        if lowered.iter().all(|other| other.key != key) {
            let default = is_struct
                .then(|| default(cx, key))
                .flatten()
                .map(DefaultValue);
            lowered.push(Field {
                default,
                ..known_field(cx, key, field, &mut taken, &position)
            });
        }
    }
    let rest = (!others.is_empty()).then(|| {
        let (key, value) = associations(cx, &others, &position);
        Rest {
            name: taken.claim("rest"),
            key,
            value,
            erlang: text::associations(&others),
        }
    });
    Some(ItemKind::Map {
        fields: lowered,
        rest,
    })
}

fn known_field(
    cx: &mut Context<'_>,
    key: &str,
    field: &MapField,
    taken: &mut Taken,
    position: &Position<'_>,
) -> Field {
    let ty = lower(cx, &field.value, &position.inside(key));
    Field {
        name: taken.claim_field(key),
        key: key.to_owned(),
        required: field.required,
        ty,
        erlang: text::associations(&[field]),
        default: None,
    }
}

/// The key that distinguishes Elixir's structs from other maps. Its value is the module that
/// defines the struct.
const STRUCT: &str = "__struct__";

/// Returns whether a map is the struct of its own module.
fn is_struct(cx: &Context<'_>, known: &[&MapField]) -> bool {
    known.iter().any(|field| {
        let is_own = matches!(bare(&field.value), Type::Atom(module) if *module == cx.module.name);
        is_own && field.required && known_key(field) == Some(STRUCT)
    })
}

/// Returns the default of a field of the module's struct.
fn default(cx: &Context<'_>, key: &str) -> Option<Constant> {
    if key == STRUCT {
        return Some(Constant::Atom(cx.module.name.as_str().into()));
    }
    let mut fields = cx.module.struct_fields.iter();
    fields.find(|field| field.name == key)?.default.clone()
}

/// Returns the types of the keys and of the values of `fields`. With several kinds of keys, the
/// result loses the association of values with kinds of keys.
fn associations(
    cx: &mut Context<'_>,
    fields: &[&MapField],
    position: &Position<'_>,
) -> (RustType, RustType) {
    let position = position.behind();
    let (keys, values) = match fields {
        [field] => (field.key.clone(), field.value.clone()),
        _ => {
            let all: Vec<MapField> = fields.iter().map(|field| (*field).clone()).collect();
            let keys = all.iter().map(|field| field.key.clone()).collect();
            let values = all.iter().map(|field| field.value.clone()).collect();
            cx.imprecise(&Type::Map(all), &position, Reason::OpenMap);
            (Type::Union(keys), Type::Union(values))
        }
    };
    let key = lower(cx, &keys, &position.inside("Key"));
    let value = lower(cx, &values, &position.inside("Value"));
    (key, value)
}

/// Returns the key of a field, if it is one atom.
fn known_key(field: &MapField) -> Option<&str> {
    match bare(&field.key) {
        Type::Atom(key) => Some(key),
        _ => None,
    }
}
