//! Maps: structs where every key is an atom, maps of one key type otherwise.

use otp_specs::types::{MapField, Type};

use super::{Lowerer, Place};
use crate::facts::bare;
use crate::ir::{Field, Kind, RustType};
use crate::names::{Taken, snake};
use crate::report::Reason;
use crate::text;

impl Lowerer<'_> {
    pub(super) fn map(&mut self, ty: &Type, fields: &[MapField], place: &Place<'_>) -> RustType {
        if let Some(kind) = self.map_kind(fields, place) {
            let name = place.name();
            let name = if name.ends_with("Map") {
                name
            } else {
                format!("{name}Map")
            };
            return self.anonymous(&[name], text::erlang(ty), kind, place);
        }
        match fields {
            [field] => {
                let place = place.behind();
                let key = self.lower(&field.key, &place.inside("Key"));
                let value = self.lower(&field.value, &place.inside("Value"));
                RustType::Runtime("Map", vec![key, value])
            }
            _ => {
                self.fallback(ty, place, Reason::OpenMap);
                RustType::Runtime("Map", vec![RustType::TERM, RustType::TERM])
            }
        }
    }

    /// The item of a map with at least one key, all of them different atoms.
    pub(super) fn map_kind(&mut self, fields: &[MapField], place: &Place<'_>) -> Option<Kind> {
        let mut keys = Vec::new();
        for field in fields {
            match bare(&field.key) {
                Type::Atom(key) if !keys.contains(key) => keys.push(key.clone()),
                _ => return None,
            }
        }
        if keys.is_empty() {
            return None;
        }
        let place = place.outside_clause();
        let mut taken = Taken::default();
        // The constructor's name: a setter cannot have it too.
        taken.claim("new");
        let mut lowered = Vec::new();
        for (field, key) in fields.iter().zip(keys) {
            let ty = self.lower(&field.value, &place.inside(&key));
            let assignment = if field.required { ":=" } else { "=>" };
            let erlang = format!(
                "{} {assignment} {}",
                text::atom(&key),
                text::erlang(&field.value)
            );
            let name = taken.claim(&snake(&key));
            lowered.push(Field {
                name,
                key,
                required: field.required,
                ty,
                erlang,
            });
        }
        Some(Kind::Map(lowered))
    }
}
