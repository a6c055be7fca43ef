//! Maps.

use std::collections::BTreeSet;

use otp_contract::schema::{self, union, with_pairs};
use otp_specs::types::{MapField, Type};
use serde_json::Value;

use super::atoms::Atoms;
use super::instances::SchemaScope;
use super::types::Types;
use crate::facts::bare;

impl Types<'_> {
    /// Returns the schema of a map. Keys that are literal atoms become properties; all other fields
    /// describe the remaining keys.
    pub(super) fn map(
        &mut self,
        fields: &[MapField],
        scope: &SchemaScope<'_>,
        depth: usize,
    ) -> Value {
        let mut known: Vec<(&str, Value, bool)> = Vec::new();
        let mut names = BTreeSet::new();
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        let mut atoms = Atoms::nothing();
        for field in fields {
            let value = self.ty(&field.value, scope, depth);
            match bare(&field.key) {
                Type::Atom(key) => {
                    if names.insert(key.as_str()) {
                        known.push((key, value, field.required));
                    }
                }
                key => {
                    atoms = atoms.and(self.atoms(key, scope));
                    keys.push(self.ty(key, scope, depth));
                    values.push(value);
                }
            }
        }
        let known = schema::closed(schema::map(known));
        if keys.is_empty() {
            return known;
        }
        let (key, value) = (union(keys), union(values));
        let object = schema::opened(known.clone(), &atoms.names, &value);
        if atoms.has_others {
            union(vec![object, with_pairs(&known, &key, &value)])
        } else {
            object
        }
    }
}
