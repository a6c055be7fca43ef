//! Small modules, written as resolved types.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::sync::Arc;

use otp_codegen::{Options, Output, bridge_options, generate, outside_options};
use otp_specs::types::{
    Builtin, Clause, Function, MapField, Module, Record, RecordField, Type, TypeDef, TypeKind,
    TypeName,
};

pub(crate) fn module(name: &str) -> Module {
    Module {
        name: name.to_owned(),
        types: Vec::new(),
        records: Vec::new(),
        callbacks: Vec::new(),
        functions: Vec::new(),
    }
}

/// A `-type` form of module `m`, `erlang` being the form.
pub(crate) fn definition(name: &str, params: &[&str], body: Type, erlang: &str) -> TypeDef {
    TypeDef {
        name: name.to_owned(),
        params: params.iter().map(|name| (*name).to_owned()).collect(),
        kind: TypeKind::Transparent,
        exported: true,
        body,
        erlang: erlang.to_owned(),
    }
}

/// A `-callback` form.
pub(crate) fn callback(name: &str, params: Vec<Type>, result: Type, erlang: &str) -> Function {
    Function {
        name: name.to_owned(),
        arity: params.len(),
        clauses: vec![Clause { params, result }],
        optional: false,
        exported: true,
        erlang: erlang.to_owned(),
    }
}

pub(crate) fn record(name: &str, fields: &[(&str, Type)]) -> Record {
    Record {
        name: name.to_owned(),
        fields: record_fields(fields),
    }
}

pub(crate) fn record_type(name: &str, fields: &[(&str, Type)]) -> Type {
    Type::Record(type_name("m", name, 0), record_fields(fields))
}

fn record_fields(fields: &[(&str, Type)]) -> Vec<RecordField> {
    let field = |(name, ty): &(&str, Type)| RecordField {
        name: (*name).to_owned(),
        ty: ty.clone(),
        has_default: false,
    };
    fields.iter().map(field).collect()
}

pub(crate) fn atom(name: &str) -> Type {
    Type::Atom(name.to_owned())
}

pub(crate) fn var(name: &str) -> Type {
    Type::Var(name.to_owned())
}

pub(crate) fn named(name: &str, arguments: Vec<Type>) -> Type {
    remote("m", name, arguments)
}

pub(crate) fn remote(module: &str, name: &str, arguments: Vec<Type>) -> Type {
    Type::Named(type_name(module, name, arguments.len()), arguments)
}

fn type_name(module: &str, name: &str, arity: usize) -> Arc<TypeName> {
    Arc::new(TypeName {
        module: module.to_owned(),
        name: name.to_owned(),
        arity,
    })
}

pub(crate) fn annotated(name: &str, ty: Type) -> Type {
    Type::Annotated(name.to_owned(), Box::new(ty))
}

/// `Name :: term()`
pub(crate) fn term(name: &str) -> Type {
    annotated(name, Type::Any)
}

pub(crate) fn union(members: Vec<Type>) -> Type {
    Type::Union(members)
}

pub(crate) fn tuple(elements: Vec<Type>) -> Type {
    Type::Tuple(elements)
}

pub(crate) fn list(element: Type) -> Type {
    Type::List(Box::new(element))
}

pub(crate) fn builtin(builtin: Builtin) -> Type {
    Type::Builtin(builtin)
}

pub(crate) fn required(key: &str, value: Type) -> MapField {
    MapField {
        key: atom(key),
        value,
        required: true,
    }
}

pub(crate) fn optional(key: &str, value: Type) -> MapField {
    MapField {
        key: atom(key),
        value,
        required: false,
    }
}

pub(crate) fn options() -> Options {
    outside_options("crate::otp", "otp-rs gen-types m", "25", BTreeMap::new())
}

pub(crate) fn inside() -> Options {
    bridge_options("25", BTreeMap::new())
}

/// The output of one module.
pub(crate) fn output(module: Module) -> Output {
    generate(&[module], &options())
}

/// Rust of one module, from its first item on.
pub(crate) fn rust(module: Module) -> String {
    let output = output(module);
    assert_eq!(output.diagnostics, []);
    let text = output
        .files
        .get("m.rs")
        .expect("the module's file")
        .to_owned();
    let start = text.find("\n///").expect("an item");
    text[start + 1..].to_owned()
}

/// Erlang and the Rust that is generated from it, as a snapshot shows them.
pub(crate) fn shown(module: Module) -> String {
    let erlang: Vec<String> = module
        .types
        .iter()
        .map(|form| form.erlang.clone())
        .collect();
    let callbacks = module.callbacks.iter().map(|form| form.erlang.clone());
    let forms: Vec<String> = erlang.into_iter().chain(callbacks).collect();
    format!("{}\n\n{}", forms.join("\n"), rust(module))
}
