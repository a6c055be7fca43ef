//! Maps.

use std::collections::BTreeSet;

use otp_contract::schema::{
    self, Definitions, Predefined, any_map, atom_object, opened, pairs, union,
};
use otp_specs::types::{MapField, Type};
use serde_json::Value;

use super::instances::SchemaScope;
use super::types::Types;
use crate::facts::bare;

impl Types<'_> {
    /// Keys that are literal atoms become properties; all other fields say what other keys are.
    pub(super) fn map(
        &mut self,
        fields: &[MapField],
        scope: &SchemaScope<'_>,
        depth: usize,
    ) -> Value {
        let mut known: Vec<(&str, Value, bool)> = Vec::new();
        let mut names = BTreeSet::new();
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        for field in fields {
            let value = self.ty(&field.value, scope, depth);
            match bare(&field.key) {
                Type::Atom(key) => {
                    if names.insert(key.as_str()) {
                        known.push((key, value, field.required));
                    }
                }
                key => {
                    keys.push(self.ty(key, scope, depth));
                    values.push(value);
                }
            }
        }
        if keys.is_empty() {
            return schema::map(known);
        }
        let (key, value) = (union(keys), union(values));
        let are_atoms = self.is_atom(&key);
        match (known.is_empty(), are_atoms) {
            (true, true) => atom_object(&key, &value),
            (true, false) => any_map(&key, &value),
            (false, true) => opened(schema::map(known), &atom_object(&key, &value)),
            (false, false) => {
                let term = self.reference(Predefined::Term);
                union(vec![
                    opened(schema::map(known), &atom_object(&key, &value)),
                    pairs(&term, &term),
                ])
            }
        }
    }
}
