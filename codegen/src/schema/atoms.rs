//! Whether all values of a schema are atoms: such a map is an object.

use std::collections::BTreeSet;
use std::rc::Rc;

use otp_contract::schema::Predefined;
use otp_specs::types::{Builtin, Type, TypeName};
use serde_json::Value;

use super::instances::Body;
use super::reference::reference;
use super::types::Types;
use crate::facts::bare;

/// A part that is still to be looked at.
enum Part<'a> {
    Schema(Value),
    /// A type of the definition of that instance, or of one without parameters.
    Type(&'a Type, Option<Rc<Body<'a>>>),
}

/// What has been looked at.
#[derive(Default)]
struct Seen<'a> {
    references: BTreeSet<String>,
    types: BTreeSet<&'a TypeName>,
}

impl<'a> Types<'a> {
    /// Whether everything of a schema is an atom. Definitions that it refers to may still be
    /// pending.
    pub(super) fn is_atom(&mut self, schema: &Value) -> bool {
        let pointer = schema.get("$ref").and_then(Value::as_str);
        if let Some(known) = pointer.and_then(|pointer| self.atoms.get(pointer)) {
            return *known;
        }
        let mut seen = Seen::default();
        let mut open = vec![Part::Schema(schema.clone())];
        let mut result = true;
        while result && let Some(part) = open.pop() {
            let parts = match part {
                Part::Schema(schema) => self.of_schema(&schema, &mut seen),
                Part::Type(ty, body) => self.of_type(ty, body, &mut seen),
            };
            result = parts.is_some();
            open.extend(parts.into_iter().flatten());
        }
        // If all of it is atoms, so is everything that it refers to.
        let seen = seen.references.into_iter().filter(|_| result);
        self.atoms.extend(seen.map(|pointer| (pointer, true)));
        if let Some(pointer) = pointer {
            self.atoms.insert(pointer.to_owned(), result);
        }
        result
    }

    /// The parts of a schema that must be atoms for it to be one; `None` if it is not one.
    fn of_schema(&self, schema: &Value, seen: &mut Seen<'a>) -> Option<Vec<Part<'a>>> {
        let is_atom = |value: &Value| value.is_string() || value.is_boolean() || value.is_null();
        if let Some(constant) = schema.get("const") {
            return is_atom(constant).then(Vec::new);
        }
        if let Some(constants) = schema.get("enum").and_then(Value::as_array) {
            return constants.iter().all(is_atom).then(Vec::new);
        }
        if let Some(members) = schema.get("anyOf").and_then(Value::as_array) {
            return Some(members.iter().cloned().map(Part::Schema).collect());
        }
        if schema.get("type") == Some(&Value::from("boolean")) {
            return Some(Vec::new());
        }
        let pointer = schema.get("$ref").and_then(Value::as_str)?;
        if *schema == reference(Predefined::Atom.name()) || seen.references.contains(pointer) {
            return Some(Vec::new());
        }
        seen.references.insert(pointer.to_owned());
        if let Some(known) = self.atoms.get(pointer) {
            return known.then(Vec::new);
        }
        let body = self.instances.body(pointer)?;
        match &**body {
            Body::Type(definition, _) => {
                Some(vec![Part::Type(&definition.body, Some(Rc::clone(body)))])
            }
            Body::Record(..) => None,
        }
    }

    /// The same for a type.
    fn of_type(
        &self,
        ty: &'a Type,
        body: Option<Rc<Body<'a>>>,
        seen: &mut Seen<'a>,
    ) -> Option<Vec<Part<'a>>> {
        match bare(ty) {
            Type::Atom(_)
            | Type::Builtin(Builtin::Atom | Builtin::Boolean | Builtin::Module | Builtin::Node) => {
                Some(Vec::new())
            }
            Type::Union(members) => {
                let part = |member| Part::Type(member, body.clone());
                Some(members.iter().map(part).collect())
            }
            Type::Var(name) => match body.as_deref()? {
                Body::Type(_, scope) => {
                    let schema = scope.variables.get(name.as_str())?;
                    Some(vec![Part::Schema(schema.clone())])
                }
                Body::Record(..) => None,
            },
            Type::Named(name, arguments) if arguments.is_empty() => {
                let definition = self.world.definition(name)?;
                let is_new = seen.types.insert(name);
                let part = Part::Type(&definition.body, None);
                Some(is_new.then_some(part).into_iter().collect())
            }
            _ => None,
        }
    }
}
