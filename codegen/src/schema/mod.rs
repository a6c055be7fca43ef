//! JSON Schema directly from Erlang's types. It describes otp-bridge's JSON representation of
//! terms, in the dialect of 2020-12.
//!
//! otp-bridge generates equal schemas from Rust's types, with schemars and with the same parts
//! (`otp_contract::schema`).

mod atoms;
mod builtin;
mod instances;
mod map;
mod reference;
mod types;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use otp_specs::types::{Module, Type, TypeDef, TypeKind, TypeName};
use serde_json::{Value, json};

use crate::facts::world::{World, distinct, type_name};
use crate::facts::{DEPTH, alternatives, leftmost, opaque};
use crate::options::Overrides;
use crate::text;
use instances::SchemaScope;
pub use reference::pointer;
use types::Types;

/// The schema of a type, and the types that were missing.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// A whole document: the type and, under `$defs`, every type that it refers to.
    pub document: Value,
    /// Modules to whose types it refers and that were not passed. Such types are any term.
    pub missing: BTreeSet<String>,
    /// Types, as `module:name/arity`, that have instances without a schema of their own, which
    /// accept any term. The arguments of such an instance grow at every turn of a recursion, or
    /// there are too many instances.
    pub cut: BTreeSet<String>,
}

/// The requested type does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoSuchType {
    /// The module was not passed.
    Module,
    /// The module has no type with this name; it has these, as `name/arity`.
    Name(Vec<String>),
    /// The module has types with this name, with these numbers of parameters.
    Arity(Vec<usize>),
}

impl fmt::Display for NoSuchType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoSuchType::Module => formatter.write_str("there is no such module"),
            NoSuchType::Name(_) => formatter.write_str("the module has no such type"),
            NoSuchType::Arity(arities) => {
                let arities: Vec<String> = arities.iter().map(usize::to_string).collect();
                write!(
                    formatter,
                    "the type has {} parameters",
                    arities.join(" or ")
                )
            }
        }
    }
}

impl std::error::Error for NoSuchType {}

/// Returns the schema of the type `name` of `module`, which is one of `modules`. The parameters of
/// a parametrised type are any term. So are types that the overrides leave out or replace by a Rust
/// type, because the JSON of such a type is unknown.
///
/// # Errors
/// There is no such type, or there are several and `arity` does not select one.
pub fn schema(
    modules: &[Module],
    overrides: &Overrides,
    module: &str,
    name: &str,
    arity: Option<usize>,
) -> Result<Schema, NoSuchType> {
    let name = find(modules, module, name, arity)?;
    let modules = leftmost::resolved(&distinct(modules));
    let modules = alternatives::expanded(&modules);
    let modules = opaque::sealed(&modules);
    let world = World::of(modules.iter().map(Cow::as_ref));
    let mut types = Types::new(&world, overrides);
    let reference = types.start(&name);
    let (module, ty) = (text::atom(&name.module), text::atom(&name.name));
    let title = format!("{module}:{ty}/{}", name.arity);
    let mut schema = document(types, &title);
    if let (Value::Object(document), Value::Object(reference)) = (&mut schema.document, reference) {
        document.extend(reference);
    }
    Ok(schema)
}

/// Returns the schema of a type that has no name. The modules that it refers to are among
/// `modules`, or missing.
#[must_use]
pub fn schema_of_type(modules: &[Module], overrides: &Overrides, ty: &Type) -> Schema {
    let mut given = modules.to_vec();
    given.push(module_of(ty));
    let resolved = leftmost::resolved(&distinct(&given));
    let resolved = alternatives::expanded(&resolved);
    let resolved = opaque::sealed(&resolved);
    let world = World::of(resolved.iter().map(Cow::as_ref));
    let mut types = Types::new(&world, overrides);
    let definitions = resolved.iter().filter(|module| module.name.is_empty());
    let body = definitions
        .flat_map(|module| &module.types)
        .map(|definition| &definition.body)
        .next();
    let own = types.ty(body.unwrap_or(ty), &SchemaScope::default(), DEPTH);
    let mut schema = document(types, &text::elsewhere(ty));
    if let (Value::Object(document), Value::Object(own)) = (&mut schema.document, own) {
        document.extend(own);
    }
    schema
}

/// Returns a module without a name, in which a type has one.
fn module_of(ty: &Type) -> Module {
    Module {
        name: String::new(),
        types: vec![TypeDef {
            name: "type".to_owned(),
            params: Vec::new(),
            kind: TypeKind::Transparent,
            exported: true,
            body: ty.clone(),
            erlang: String::new(),
            header: None,
        }],
        records: Vec::new(),
        callbacks: Vec::new(),
        functions: Vec::new(),
        struct_fields: Vec::new(),
    }
}

/// Returns the schemas of all types of `module`, which is one of `modules`: a document without a
/// schema of its own, with each type under `$defs`.
///
/// # Errors
/// There is no such module.
pub fn schemas(
    modules: &[Module],
    overrides: &Overrides,
    module: &str,
) -> Result<Schema, NoSuchType> {
    let modules = leftmost::resolved(&distinct(modules));
    let modules = alternatives::expanded(&modules);
    let modules = opaque::sealed(&modules);
    let world = World::of(modules.iter().map(Cow::as_ref));
    let found = world.modules.iter().find(|found| found.name == module);
    let found = found.ok_or(NoSuchType::Module)?;
    let mut types = Types::new(&world, overrides);
    for definition in &found.types {
        types.start(&type_name(found, definition));
    }
    Ok(document(types, &text::atom(module)))
}

fn document(types: Types<'_>, title: &str) -> Schema {
    let finished = types.finish();
    let mut document = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
    });
    // The macro would copy them.
    document["$defs"] = finished.definitions;
    Schema {
        document,
        missing: finished.missing,
        cut: finished.cut,
    }
}

fn find(
    modules: &[Module],
    module: &str,
    name: &str,
    arity: Option<usize>,
) -> Result<TypeName, NoSuchType> {
    let found = modules.iter().find(|found| found.name == module);
    let types = &found.ok_or(NoSuchType::Module)?.types;
    let arities: Vec<usize> = types
        .iter()
        .filter(|definition| definition.name == name)
        .map(|definition| definition.params.len())
        .collect();
    let arity = match (arities.as_slice(), arity) {
        ([], _) => {
            let other = |name: &str, arity: usize| format!("{}/{arity}", text::atom(name));
            let others = types.iter().map(|one| other(&one.name, one.params.len()));
            return Err(NoSuchType::Name(others.collect()));
        }
        ([only], None) => *only,
        (arities, Some(arity)) if arities.contains(&arity) => arity,
        (arities, _) => return Err(NoSuchType::Arity(arities.to_vec())),
    };
    Ok(TypeName {
        module: module.to_owned(),
        name: name.to_owned(),
        arity,
    })
}
