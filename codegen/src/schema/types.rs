//! The walk over types: one method for each kind, and the queue of named types still to write.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use otp_contract::schema::{
    Definitions, Predefined, array, atom, improper, list, nonempty_list, tagged, tuple, union,
};
use otp_specs::types::{Record, RecordField, Type, TypeDef, TypeName};
use serde_json::{Map, Value};

use super::reference::reference;
use crate::facts::world::World;
use crate::facts::{DEPTH, bare};
use crate::text;

/// How many instances of one parametrised type are written: `-type t(A) :: t([A])` has no end.
const INSTANCES: usize = 32;
/// How large the arguments of an instance are, in values: `-type t(A) :: u({A, A})` doubles them.
const ARGUMENTS: usize = 4_096;

/// Schemas of the type variables in scope.
pub(super) type Environment = BTreeMap<String, Value>;

/// A named type with its arguments.
struct Instance {
    name: TypeName,
    arguments: Vec<Value>,
    /// What it is called in the document.
    key: String,
}

/// The definitions of a document.
pub(super) struct Types<'a> {
    world: &'a World<'a>,
    definitions: BTreeMap<String, Value>,
    instances: Vec<Instance>,
    /// Instances whose definition is still to be written.
    pending: VecDeque<(String, &'a TypeDef, Environment)>,
    missing: BTreeSet<String>,
}

impl Definitions for Types<'_> {
    fn reference(&mut self, predefined: Predefined) -> Value {
        let name = predefined.name();
        if !self.definitions.contains_key(name) {
            // Known from here on, since the schema may refer to itself.
            self.definitions.insert(name.to_owned(), Value::Bool(true));
            let schema = predefined.schema(self);
            self.definitions.insert(name.to_owned(), schema);
        }
        reference(name)
    }
}

impl<'a> Types<'a> {
    pub(super) fn new(world: &'a World<'a>) -> Self {
        Types {
            world,
            definitions: BTreeMap::new(),
            instances: Vec::new(),
            pending: VecDeque::new(),
            missing: BTreeSet::new(),
        }
    }

    /// A reference to the type that the document is about.
    pub(super) fn start(&mut self, name: &TypeName) -> Value {
        let arguments = vec![Type::Any; name.arity];
        self.named(name, &arguments, &Environment::new(), DEPTH)
    }

    /// Writes what is still pending; gives the definitions, and modules that are missing.
    pub(super) fn finish(mut self) -> (Value, BTreeSet<String>) {
        while let Some((key, definition, environment)) = self.pending.pop_front() {
            let schema = self.ty(&definition.body, &environment, DEPTH);
            self.definitions
                .insert(key, described(schema, &definition.erlang));
        }
        let definitions: Map<String, Value> = self.definitions.into_iter().collect();
        (Value::Object(definitions), self.missing)
    }

    /// The schema of `ty` where it stands.
    pub(super) fn ty(&mut self, ty: &Type, environment: &Environment, depth: usize) -> Value {
        let Some(depth) = depth.checked_sub(1) else {
            return self.reference(Predefined::Term);
        };
        match ty {
            Type::Any | Type::Invalid => self.reference(Predefined::Term),
            Type::None => Value::Bool(false),
            Type::Annotated(_, inner) => self.ty(inner, environment, depth),
            Type::Var(name) => match environment.get(name) {
                Some(schema) => schema.clone(),
                None => self.reference(Predefined::Term),
            },
            Type::Named(name, arguments) => self.named(name, arguments, environment, depth),
            Type::Builtin(builtin) => self.builtin(*builtin),
            Type::Atom(tag) => atom(tag),
            Type::Integer(value) => self.literal(value),
            Type::Range(low, high) => self.range(low, high),
            Type::Union(members) => union(self.all(members, environment, depth)),
            Type::Tuple(elements) => self.tuple(elements, environment, depth),
            Type::Nil => array(Vec::new()),
            Type::List(element) => {
                let items = self.ty(element, environment, depth);
                list(&items)
            }
            Type::NonemptyList(element) => {
                let items = self.ty(element, environment, depth);
                nonempty_list(&items)
            }
            Type::MaybeImproperList(..) => {
                let term = self.reference(Predefined::Term);
                union(vec![list(&term), improper(&term)])
            }
            Type::NonemptyImproperList(..) => improper(&self.reference(Predefined::Term)),
            Type::Map(fields) => self.map(fields, environment, depth),
            Type::Record(name, fields) => self.record(name, fields, environment, depth),
            Type::Bitstring { size, unit } => {
                let whole = size.is_multiple_of(8) && unit.is_multiple_of(8);
                self.reference(match whole {
                    true => Predefined::Binary,
                    false => Predefined::Bitstring,
                })
            }
            Type::Fun(..) => self.reference(Predefined::Fun),
        }
    }

    fn all(&mut self, types: &[Type], environment: &Environment, depth: usize) -> Vec<Value> {
        types
            .iter()
            .map(|ty| self.ty(ty, environment, depth))
            .collect()
    }

    fn tuple(&mut self, elements: &[Type], environment: &Environment, depth: usize) -> Value {
        let mut schemas = self.all(elements, environment, depth);
        match elements.first().map(bare) {
            Some(Type::Atom(tag)) => tagged(tag, schemas.split_off(1)),
            _ => tuple(schemas),
        }
    }

    /// A record with the types that this use of it gives to its fields.
    fn record(
        &mut self,
        name: &TypeName,
        refined: &[RecordField],
        environment: &Environment,
        depth: usize,
    ) -> Value {
        let declared = self.world.record(name);
        if declared.is_none() && !self.world.has_module(&name.module) {
            self.missing.insert(name.module.clone());
        }
        let fields = effective(declared, refined);
        let elements = fields
            .into_iter()
            .map(|field| self.ty(&field.ty, environment, depth))
            .collect();
        tagged(&name.name, elements)
    }

    fn named(
        &mut self,
        name: &TypeName,
        arguments: &[Type],
        environment: &Environment,
        depth: usize,
    ) -> Value {
        let Some(definition) = self.world.definition(name) else {
            if !self.world.has_module(&name.module) {
                self.missing.insert(name.module.clone());
            }
            return self.reference(Predefined::Term);
        };
        let schemas = self.all(arguments, environment, depth);
        let of_name = self.instances.iter().filter(|one| one.name == *name);
        let mut count = 0;
        for instance in of_name {
            if instance.arguments == schemas {
                return reference(&instance.key);
            }
            count += 1;
        }
        if count >= INSTANCES || schemas.iter().map(values).sum::<usize>() > ARGUMENTS {
            return self.reference(Predefined::Term);
        }
        let key = self.key(name, arguments);
        let parameters = definition.params.iter().cloned();
        let inner = parameters.zip(schemas.iter().cloned()).collect();
        self.pending.push_back((key.clone(), definition, inner));
        self.instances.push(Instance {
            name: name.clone(),
            arguments: schemas,
            key: key.clone(),
        });
        reference(&key)
    }

    /// A name for an instance that no other has: `supervisor:child_spec()`.
    fn key(&self, name: &TypeName, arguments: &[Type]) -> String {
        let arguments: Vec<String> = arguments.iter().map(text::erlang).collect();
        let (module, ty) = (text::atom(&name.module), text::atom(&name.name));
        let name = format!("{module}:{ty}({})", arguments.join(", "));
        let is_taken = |key: &str| self.instances.iter().any(|instance| instance.key == key);
        let mut key = name.clone();
        let mut number = 2;
        while is_taken(&key) {
            key = format!("{name} #{number}");
            number += 1;
        }
        key
    }

    /// Whether everything of a schema is an atom.
    pub(super) fn is_atom(&self, schema: &Value) -> bool {
        self.is_atom_within(schema, DEPTH)
    }

    fn is_atom_within(&self, schema: &Value, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        let is_atom = |value: &Value| value.is_string() || value.is_boolean() || value.is_null();
        if let Some(constant) = schema.get("const") {
            return is_atom(constant);
        }
        if let Some(constants) = schema.get("enum").and_then(Value::as_array) {
            return constants.iter().all(is_atom);
        }
        if let Some(members) = schema.get("anyOf").and_then(Value::as_array) {
            return members
                .iter()
                .all(|member| self.is_atom_within(member, depth));
        }
        if schema.get("type") == Some(&Value::from("boolean")) {
            return true;
        }
        let Some(target) = schema.get("$ref") else {
            return false;
        };
        *target == reference(Predefined::Atom.name())["$ref"] || self.names_atoms(target, depth)
    }

    /// Whether a reference is to a type of atoms, whose definition may still be pending.
    fn names_atoms(&self, target: &Value, depth: usize) -> bool {
        let is_target = |one: &&Instance| reference(&one.key)["$ref"] == *target;
        let Some(instance) = self.instances.iter().find(is_target) else {
            return false;
        };
        let definition = self.world.definition(&instance.name);
        definition.is_some_and(|definition| {
            let names = definition.params.iter().cloned();
            let environment: Environment = names.zip(instance.arguments.iter().cloned()).collect();
            self.is_atom_type(&definition.body, &environment, depth)
        })
    }

    fn is_atom_type(&self, ty: &Type, environment: &Environment, depth: usize) -> bool {
        use otp_specs::types::Builtin::{Atom, Boolean, Module, Node};
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        match bare(ty) {
            Type::Atom(_) | Type::Builtin(Atom | Boolean | Module | Node) => true,
            Type::Union(members) => members
                .iter()
                .all(|member| self.is_atom_type(member, environment, depth)),
            Type::Var(name) => environment
                .get(name)
                .is_some_and(|schema| self.is_atom_within(schema, depth)),
            Type::Named(name, arguments) if arguments.is_empty() => {
                self.world.definition(name).is_some_and(|definition| {
                    self.is_atom_type(&definition.body, &Environment::new(), depth)
                })
            }
            _ => false,
        }
    }
}

/// How many values a schema is made of.
fn values(schema: &Value) -> usize {
    let inside: usize = match schema {
        Value::Array(elements) => elements.iter().map(values).sum(),
        Value::Object(members) => members.values().map(values).sum(),
        _ => 0,
    };
    inside + 1
}

/// All fields of a record, each with the type of its refinement or of its declaration.
fn effective<'f>(declared: Option<&'f Record>, refined: &'f [RecordField]) -> Vec<&'f RecordField> {
    let Some(declared) = declared else {
        return refined.iter().collect();
    };
    declared
        .fields
        .iter()
        .map(|field| {
            let same = |other: &&RecordField| other.name == field.name;
            refined.iter().find(same).unwrap_or(field)
        })
        .collect()
}

/// The schema with the Erlang form that it is from.
fn described(schema: Value, erlang: &str) -> Value {
    match schema {
        Value::Object(mut schema) => {
            schema.insert("description".to_owned(), Value::from(erlang));
            Value::Object(schema)
        }
        other => other,
    }
}
