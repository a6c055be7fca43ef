//! Type variables of a clause: which stay generic.
//!
//! A variable is generic when it ties types together: it occurs in an argument and in the result,
//! or in two arguments. Any other is `term()`, as is one that only the result has: nothing would
//! say what it is.

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::Type;

use crate::facts::DEPTH;
use crate::facts::references::all_parts;
use crate::facts::rewrite::with_parts;

/// Where a variable occurs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Uses {
    /// In how many arguments.
    pub(crate) arguments: usize,
    /// How often in the result.
    pub(crate) result: usize,
}

/// The variables of a clause that stay generic.
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

/// `name` if `ty` is a variable: without a bound, or with `term()` as its bound. An argument's name
/// may stand in front of it: `Key :: K`.
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

/// `ty` with generic variables written as such and all others as `term()`. Names of arguments stay.
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
