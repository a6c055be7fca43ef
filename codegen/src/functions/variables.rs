//! Type variables of a clause: determines which of them stay generic.
//!
//! A variable is generic if it relates types to each other, that is, if it occurs in an argument
//! and in the result, or in two arguments. Any other variable becomes `term()`. A variable that
//! occurs only in the result does, too, because the arguments could not determine it.

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::Type;

use crate::facts::DEPTH;
use crate::facts::references::all_parts;
use crate::facts::rewrite::with_parts;

/// The positions of a variable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Uses {
    /// The number of arguments in which it occurs.
    pub(crate) arguments: usize,
    /// The number of its occurrences in the result.
    pub(crate) result: usize,
}

/// Returns the variables of a clause that stay generic.
pub(crate) fn generic(params: &[Type], result: &Type) -> BTreeMap<String, Uses> {
    let mut uses: BTreeMap<String, Uses> = BTreeMap::new();
    for param in params {
        let mut names = BTreeSet::new();
        count(param, DEPTH, &mut |name| _ = names.insert(name.to_owned()));
        for name in names {
            uses.entry(name).or_default().arguments += 1;
        }
    }
    count(result, DEPTH, &mut |name| {
        uses.entry(name.to_owned()).or_default().result += 1;
    });
    uses.retain(|_, uses| uses.arguments >= 1 && uses.arguments + uses.result >= 2);
    uses
}

/// Returns `name` if `ty` is a variable without a bound, or with `term()` as its bound. An
/// argument's name may be in front of it: `Key :: K`.
fn variable(ty: &Type) -> Option<&str> {
    let name = match ty {
        Type::Var(name) => name.as_str(),
        Type::Annotated(name, inner) if **inner == Type::Any => name.as_str(),
        Type::Annotated(_, inner) => variable(inner)?,
        _ => return None,
    };
    (!name.starts_with('_')).then_some(name)
}

fn count(ty: &Type, depth: usize, found: &mut impl FnMut(&str)) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    if let Some(name) = variable(ty) {
        return found(name);
    }
    for part in all_parts(ty) {
        count(part, depth, found);
    }
}

/// Returns `ty` with generic variables kept and all others replaced by `term()`. Names of arguments
/// are kept.
pub(crate) fn with_generic(ty: &Type, generic: &BTreeMap<String, Uses>) -> Type {
    replace_others(ty, generic, DEPTH)
}

fn replace_others(ty: &Type, generic: &BTreeMap<String, Uses>, depth: usize) -> Type {
    let Some(depth) = depth.checked_sub(1) else {
        return ty.clone();
    };
    if let Type::Annotated(name, _) = ty
        && let Some(variable) = variable(ty)
    {
        let inner = if generic.contains_key(variable) {
            Type::Var(variable.to_owned())
        } else {
            Type::Any
        };
        return Type::Annotated(name.clone(), Box::new(inner));
    }
    match ty {
        Type::Var(name) if generic.contains_key(name) => ty.clone(),
        Type::Var(name) => Type::Annotated(name.clone(), Box::new(Type::Any)),
        _ => with_parts(ty, &mut |part| replace_others(part, generic, depth)),
    }
}
