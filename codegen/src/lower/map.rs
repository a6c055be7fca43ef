//! Maps: structs where keys are known atoms, with the others in one field; maps of one type of key
//! where none is.

use otp_specs::types::{MapField, Type};

use super::{Lowerer, Place};
use crate::facts::bare;
use crate::ir::{Field, Kind, Rest, RustType};
use crate::names::{Taken, snake};
use crate::report::Reason;
use crate::text;

impl Lowerer<'_> {
    pub(super) fn map(&mut self, ty: &Type, fields: &[MapField], place: &Place<'_>) -> RustType {
        if fields.is_empty() {
            return self.precise(RustType::Runtime("EmptyMap", Vec::new()));
        }
        match self.map_kind(fields, place) {
            Some(kind) => {
                let name = place.name();
                let name = if name.ends_with("Map") {
                    name
                } else {
                    format!("{name}Map")
                };
                self.anonymous(&[name], text::erlang(ty), kind, place)
            }
            None => {
                let fields: Vec<&MapField> = fields.iter().collect();
                let (key, value) = self.associations(&fields, place);
                RustType::Runtime("Map", vec![key, value])
            }
        }
    }

    /// The item of a map with at least one known key. Of two fields of one key the first counts.
    pub(super) fn map_kind(&mut self, fields: &[MapField], place: &Place<'_>) -> Option<Kind> {
        let (known, others): (Vec<&MapField>, Vec<&MapField>) =
            fields.iter().partition(|field| known_key(field).is_some());
        if known.is_empty() {
            return None;
        }
        let place = place.outside_clause();
        let mut taken = Taken::default();
        // The constructor's name: a setter cannot have it too.
        taken.claim("new");
        let mut lowered: Vec<Field> = Vec::new();
        for field in known {
            let key = known_key(field)?;
            if lowered.iter().all(|other| other.key != key) {
                lowered.push(self.known_field(key, field, &mut taken, &place));
            }
        }
        let rest = (!others.is_empty()).then(|| {
            let (key, value) = self.associations(&others, &place);
            Rest {
                name: taken.claim("rest"),
                key,
                value,
                erlang: text::associations(&others),
            }
        });
        Some(Kind::Map {
            fields: lowered,
            rest,
        })
    }

    fn known_field(
        &mut self,
        key: &str,
        field: &MapField,
        taken: &mut Taken,
        place: &Place<'_>,
    ) -> Field {
        let ty = self.lower(&field.value, &place.inside(key));
        Field {
            name: taken.claim(&snake(key)),
            key: key.to_owned(),
            required: field.required,
            ty,
            erlang: text::associations(&[field]),
        }
    }

    /// The types of the keys and of the values of `fields`. Where there are several kinds of keys,
    /// which values belong to which is forgotten.
    fn associations(&mut self, fields: &[&MapField], place: &Place<'_>) -> (RustType, RustType) {
        let place = place.behind();
        let (keys, values) = match fields {
            [field] => (field.key.clone(), field.value.clone()),
            _ => {
                let all: Vec<MapField> = fields.iter().map(|field| (*field).clone()).collect();
                let keys = all.iter().map(|field| field.key.clone()).collect();
                let values = all.iter().map(|field| field.value.clone()).collect();
                self.imprecise(&Type::Map(all), &place, Reason::OpenMap);
                (Type::Union(keys), Type::Union(values))
            }
        };
        let key = self.lower(&keys, &place.inside("Key"));
        let value = self.lower(&values, &place.inside("Value"));
        (key, value)
    }
}

/// The key of a field, if it is one atom.
fn known_key(field: &MapField) -> Option<&str> {
    match bare(&field.key) {
        Type::Atom(key) => Some(key),
        _ => None,
    }
}
