//! The traversal of types: one method for each kind.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use otp_contract::limits::FUN_ARITY;
use otp_contract::schema::{
    Definitions, Names, Predefined, array, atom, fun, improper, list, nonempty_list, tagged, tuple,
    union,
};
use otp_specs::types::{Record, RecordField, Type, TypeName};
use serde_json::{Map, Value, json};

use super::atoms::KnownAtoms;
use super::instances::{Argument, Body, Instances, SchemaScope, Subject};
use super::reference::reference;
use crate::facts::DEPTH;
use crate::facts::growth::Growth;
use crate::facts::world::World;
use crate::options::Overrides;
use crate::text;

/// An argument whose schema has a longer text gets a definition of its own. Otherwise `-type t(A)
/// :: u({A, A})` would double it.
const ARGUMENT: usize = 200;

/// The definitions of a document.
pub(super) struct Types<'a> {
    pub(super) world: &'a World<'a>,
    overrides: &'a Overrides,
    growth: Growth,
    definitions: BTreeMap<String, Value>,
    pub(super) instances: Instances<'a>,
    missing: BTreeSet<String>,
    cut: BTreeSet<String>,
    pub(super) known: KnownAtoms,
}

impl Definitions for Types<'_> {
    fn reference(&mut self, predefined: Predefined) -> Value {
        let name = predefined.name();
        if !self.definitions.contains_key(name) {
            // Registered before its schema is generated, since the schema may refer to itself.
            self.definitions.insert(name.to_owned(), Value::Bool(true));
            let schema = predefined.schema(self);
            self.definitions.insert(name.to_owned(), schema);
        }
        reference(name)
    }
}

/// The definitions of a document, and the types that they leave out.
pub(super) struct Finished {
    pub(super) definitions: Value,
    /// Modules that are missing.
    pub(super) missing: BTreeSet<String>,
    /// Types some of whose instances are any term.
    pub(super) cut: BTreeSet<String>,
}

impl<'a> Types<'a> {
    pub(super) fn new(world: &'a World<'a>, overrides: &'a Overrides) -> Self {
        Types {
            world,
            overrides,
            growth: Growth::new(world),
            definitions: BTreeMap::new(),
            instances: Instances::default(),
            missing: BTreeSet::new(),
            cut: BTreeSet::new(),
            known: KnownAtoms::default(),
        }
    }

    /// Returns a reference to the type that the document describes.
    pub(super) fn start(&mut self, name: &TypeName) -> Value {
        let arguments = vec![Type::Any; name.arity];
        self.named(name, &arguments, &SchemaScope::default(), DEPTH)
    }

    /// Writes everything that is still pending.
    pub(super) fn finish(mut self) -> Finished {
        while let Some((key, body)) = self.instances.next() {
            let schema = match &*body {
                Body::Type(definition, scope) => {
                    let schema = self.ty(&definition.body, scope, DEPTH);
                    described(schema, &definition.erlang)
                }
                Body::Record(name, fields) => self.fields(name, fields),
            };
            self.definitions.insert(key, schema);
        }
        let definitions: Map<String, Value> = self.definitions.into_iter().collect();
        Finished {
            definitions: Value::Object(definitions),
            missing: self.missing,
            cut: self.cut,
        }
    }

    /// Returns the schema of `ty` in its position.
    pub(super) fn ty(&mut self, ty: &Type, scope: &SchemaScope<'_>, depth: usize) -> Value {
        let Some(depth) = depth.checked_sub(1) else {
            return self.reference(Predefined::Term);
        };
        match ty {
            Type::Any | Type::Invalid => self.reference(Predefined::Term),
            Type::None => Value::Bool(false),
            Type::Annotated(_, inner) => self.ty(inner, scope, depth),
            Type::Var(name) => match scope.variables.get(name.as_str()) {
                Some(argument) => argument.schema.clone(),
                None => self.reference(Predefined::Term),
            },
            Type::Named(name, arguments) => self.named(name, arguments, scope, depth),
            Type::Builtin(builtin) => self.builtin(*builtin),
            Type::Atom(tag) => atom(tag),
            Type::Integer(value) => Self::literal(value),
            Type::Range(low, high) => self.range(low, high),
            Type::Union(members) => union(self.all(members, scope, depth)),
            Type::Tuple(elements) => self.tuple(elements, scope, depth),
            Type::Nil => array(Vec::new()),
            Type::List(element) => list(&self.ty(element, scope, depth)),
            Type::NonemptyList(element) => nonempty_list(&self.ty(element, scope, depth)),
            Type::MaybeImproperList(element, tail) => {
                let [element, tail] = [element, tail].map(|part| self.ty(part, scope, depth));
                union(vec![list(&element), improper(&element, &tail)])
            }
            Type::NonemptyImproperList(element, tail) => {
                let [element, tail] = [element, tail].map(|part| self.ty(part, scope, depth));
                improper(&element, &tail)
            }
            Type::Map(fields) => self.map(fields, scope, depth),
            Type::Record(name, fields) => self.record(name, fields, scope, depth),
            Type::Bitstring { size, unit } => {
                let whole = size.is_multiple_of(8) && unit.is_multiple_of(8);
                self.reference(if whole {
                    Predefined::Binary
                } else {
                    Predefined::Bitstring
                })
            }
            Type::Fun(Some(arguments), _) if arguments.len() <= FUN_ARITY => {
                fun(self, json!({ "const": arguments.len() }))
            }
            Type::Fun(..) => self.reference(Predefined::Fun),
        }
    }

    fn all(&mut self, types: &[Type], scope: &SchemaScope<'_>, depth: usize) -> Vec<Value> {
        types.iter().map(|ty| self.ty(ty, scope, depth)).collect()
    }

    fn tuple(&mut self, elements: &[Type], scope: &SchemaScope<'_>, depth: usize) -> Value {
        let schemas = self.all(elements, scope, depth);
        match elements.first() {
            Some(first) => {
                let atoms = self.atoms(first, scope);
                tuple(&atoms.names, schemas, atoms.only_atom())
            }
            None => tuple(&Names::none(), schemas, None),
        }
    }

    /// Returns a record with the types that this use of it gives to its fields.
    fn record(
        &mut self,
        name: &TypeName,
        refined: &[RecordField],
        scope: &SchemaScope<'_>,
        depth: usize,
    ) -> Value {
        let Some(declared) = self.world.record(name) else {
            if !self.world.has_module(&name.module) {
                self.missing.insert(name.module.clone());
            }
            let fields = refined.iter().map(|field| self.ty(&field.ty, scope, depth));
            return tagged(&name.name, fields.collect());
        };
        let different: Vec<&RecordField> = different(declared, refined);
        let mut given = BTreeMap::new();
        for field in &different {
            let schema = self.ty(&field.ty, scope, depth);
            given.insert(field.name.clone(), self.argument(schema, &field.ty));
        }
        let shown = || {
            let field = |field: &&RecordField| {
                format!("{} :: {}", text::atom(&field.name), text::erlang(&field.ty))
            };
            let fields: Vec<String> = different.iter().map(field).collect();
            let (module, record) = (text::atom(&name.module), text::atom(&name.name));
            format!("{module}:#{record}{{{}}}", fields.join(", "))
        };
        let arguments: Vec<Value> = given.values().cloned().collect();
        let names: Vec<&str> = given.keys().map(String::as_str).collect();
        let subject = Subject::record(name, &names);
        let body = || Rc::new(Body::Record(declared, given));
        match self.instances.key(subject, &arguments, shown, body) {
            Some(key) => reference(&key),
            None => self.cut(name),
        }
    }

    /// Returns all fields of a record; those in `given` have that schema.
    fn fields(&mut self, record: &'a Record, given: &BTreeMap<String, Value>) -> Value {
        let scope = SchemaScope::default();
        let schema = |field: &'a RecordField| match given.get(field.name.as_str()) {
            Some(schema) => schema.clone(),
            None => self.ty(&field.ty, &scope, DEPTH),
        };
        tagged(&record.name, record.fields.iter().map(schema).collect())
    }

    fn named(
        &mut self,
        name: &TypeName,
        arguments: &[Type],
        scope: &SchemaScope<'_>,
        depth: usize,
    ) -> Value {
        let Some(definition) = self.world.definition(name) else {
            if !self.world.has_module(&name.module) {
                self.missing.insert(name.module.clone());
            }
            return self.reference(Predefined::Term);
        };
        if self.is_left_out(name) {
            return self.reference(Predefined::Term);
        }
        let is_endless = |owner| self.growth.is_endless(self.world, owner, name, arguments);
        if !arguments.is_empty() && scope.owner.as_ref().is_some_and(is_endless) {
            return self.cut(name);
        }
        let mut schemas = Vec::new();
        let mut values = Vec::new();
        for argument in arguments {
            let schema = self.ty(argument, scope, depth);
            let schema = self.argument(schema, argument);
            schemas.push(schema.clone());
            let atoms = self.atoms(argument, scope);
            values.push(Argument { schema, atoms });
        }
        let shown = || {
            let arguments: Vec<String> = arguments.iter().map(text::erlang).collect();
            let (module, ty) = (text::atom(&name.module), text::atom(&name.name));
            format!("{module}:{ty}({})", arguments.join(", "))
        };
        let body = || {
            let parameters = definition.params.iter().map(String::as_str);
            let inner = SchemaScope {
                owner: Some(name.clone()),
                variables: parameters.zip(values).collect(),
            };
            Rc::new(Body::Type(definition, inner))
        };
        match self.instances.key(Subject::ty(name), &schemas, shown, body) {
            Some(key) => reference(&key),
            None => self.cut(name),
        }
    }

    /// Returns whether an override leaves the type out or replaces it by a Rust type.
    pub(super) fn is_left_out(&self, name: &TypeName) -> bool {
        let mut decided = self.overrides.types.iter();
        decided.any(|one| {
            let target = &one.target;
            (one.skip || one.rust.is_some())
                && target.module == name.module
                && target.name == name.name
                && target.arity.is_none_or(|arity| arity == name.arity)
        })
    }

    /// Returns any term, for an instance that is not written.
    fn cut(&mut self, name: &TypeName) -> Value {
        let (module, ty) = (text::atom(&name.module), text::atom(&name.name));
        self.cut.insert(format!("{module}:{ty}/{}", name.arity));
        self.reference(Predefined::Term)
    }

    /// Returns the schema of an argument, or a reference to it if it is large.
    fn argument(&mut self, schema: Value, ty: &Type) -> Value {
        if schema.to_string().len() <= ARGUMENT {
            return schema;
        }
        let key = self.instances.constant(&schema, || text::erlang(ty));
        self.definitions.entry(key.clone()).or_insert(schema);
        reference(&key)
    }
}

/// Returns the fields whose type in a use of a record differs from the declaration.
fn different<'f>(declared: &Record, refined: &'f [RecordField]) -> Vec<&'f RecordField> {
    let of_name: BTreeMap<&str, &RecordField> = declared
        .fields
        .iter()
        .map(|field| (field.name.as_str(), field))
        .collect();
    let is_other = |field: &&RecordField| {
        let declared = of_name.get(field.name.as_str());
        declared.is_some_and(|declared| declared.ty != field.ty)
    };
    refined.iter().filter(is_other).collect()
}

/// Adds the original Erlang form to a schema.
fn described(schema: Value, erlang: &str) -> Value {
    match schema {
        Value::Object(mut schema) => {
            schema.insert("description".to_owned(), Value::from(erlang));
            Value::Object(schema)
        }
        other => other,
    }
}
