//! The modules that a module's types refer to.

use std::collections::BTreeSet;

use otp_specs::types::{Module, Type};

use super::DEPTH;

/// Returns names of the other modules that the types, records and callbacks of `module` refer to.
///
/// If these modules are part of the same run, the references become paths; otherwise they fall back
/// to the dynamic term.
pub fn references(module: &Module) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for definition in &module.types {
        collect(&definition.body, DEPTH, &mut found);
    }
    for field in module.records.iter().flat_map(|record| &record.fields) {
        collect(&field.ty, DEPTH, &mut found);
    }
    for clause in module.callbacks.iter().flat_map(|form| &form.clauses) {
        for ty in clause.params.iter().chain([&clause.result]) {
            collect(ty, DEPTH, &mut found);
        }
    }
    found.remove(&module.name);
    found
}

fn collect(ty: &Type, depth: usize, found: &mut BTreeSet<String>) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    if let Type::Named(name, _) = ty {
        found.insert(name.module.clone());
    }
    for part in all_parts(ty) {
        collect(part, depth, found);
    }
}

/// Returns the types directly inside `ty`, however it contains them.
pub(crate) fn all_parts(ty: &Type) -> Vec<&Type> {
    match ty {
        Type::Any
        | Type::None
        | Type::Invalid
        | Type::Nil
        | Type::Var(_)
        | Type::Builtin(_)
        | Type::Atom(_)
        | Type::Integer(_)
        | Type::Range(..)
        | Type::Bitstring { .. } => Vec::new(),
        Type::Annotated(_, inner) | Type::List(inner) | Type::NonemptyList(inner) => vec![inner],
        Type::Named(_, types) | Type::Union(types) | Type::Tuple(types) => types.iter().collect(),
        Type::MaybeImproperList(element, tail) | Type::NonemptyImproperList(element, tail) => {
            vec![element, tail]
        }
        Type::Map(fields) => fields
            .iter()
            .flat_map(|field| [&field.key, &field.value])
            .collect(),
        Type::Record(_, fields) => fields.iter().map(|field| &field.ty).collect(),
        Type::Fun(arguments, result) => {
            let arguments = arguments.iter().flatten();
            arguments.chain([&**result]).collect()
        }
    }
}
