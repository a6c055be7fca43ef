//! Opaque types, reduced to the kinds of their terms.

use std::borrow::Cow;

use otp_specs::types::{Builtin, Module, Type, TypeDef, TypeKind};

use super::DEPTH;
use super::world::World;

/// Returns `modules`, in which the body of each `-opaque` form is reduced to the kinds of its
/// terms, because another version of the module may have other parts in them. The text of the form
/// is kept.
pub(crate) fn sealed<'m>(modules: &'m [Cow<'m, Module>]) -> Vec<Cow<'m, Module>> {
    let world = World::of(modules.iter().map(Cow::as_ref));
    let sealed = |module: &'m Cow<'m, Module>| {
        if !module.types.iter().any(is_opaque) {
            return Cow::Borrowed(&**module);
        }
        let mut module = Module::clone(module);
        for definition in module.types.iter_mut().filter(|found| is_opaque(found)) {
            definition.body = kinds(&world, &definition.body);
        }
        Cow::Owned(module)
    };
    modules.iter().map(sealed).collect()
}

/// Returns whether a definition is opaque. A body that could not be resolved is excluded, because
/// it has a diagnostic of its own.
fn is_opaque(definition: &TypeDef) -> bool {
    definition.kind == TypeKind::Opaque && definition.body != Type::Invalid
}

/// Returns the type of all terms whose kinds occur in `body`.
fn kinds(world: &World<'_>, body: &Type) -> Type {
    let mut kinds = Vec::new();
    collect(world, body, DEPTH, &mut kinds);
    match kinds.len() {
        1 => kinds.remove(0),
        0 => Type::Any,
        _ if kinds.contains(&Type::Any) => Type::Any,
        _ => Type::Union(kinds),
    }
}

/// Adds the kinds of a type, each once.
fn collect(world: &World<'_>, ty: &Type, depth: usize, kinds: &mut Vec<Type>) {
    let kind = match (ty, depth.checked_sub(1)) {
        (Type::None, _) => return,
        (Type::Annotated(_, inner), Some(depth)) => return collect(world, inner, depth, kinds),
        (Type::Union(members), Some(depth)) => {
            let members = members.iter();
            return members.for_each(|member| collect(world, member, depth, kinds));
        }
        (Type::Named(name, _), Some(depth)) => match world.definition(name) {
            Some(definition) => return collect(world, &definition.body, depth, kinds),
            None => Type::Any,
        },
        (Type::Annotated(..) | Type::Union(_) | Type::Named(..), None) => Type::Any,
        (Type::Any | Type::Var(_) | Type::Invalid, _) => Type::Any,
        (Type::Atom(_), _) => Type::Builtin(Builtin::Atom),
        (Type::Integer(_) | Type::Range(..), _) => Type::Builtin(Builtin::Integer),
        (Type::Tuple(_) | Type::Record(..), _) => Type::Builtin(Builtin::Tuple),
        (Type::Map(_), _) => Type::Builtin(Builtin::Map),
        (Type::Bitstring { .. }, _) => Type::Builtin(Builtin::Bitstring),
        (Type::Fun(..), _) => Type::Builtin(Builtin::Function),
        (
            Type::Nil
            | Type::List(_)
            | Type::NonemptyList(_)
            | Type::MaybeImproperList(..)
            | Type::NonemptyImproperList(..),
            _,
        ) => Type::Builtin(Builtin::MaybeImproperList),
        (Type::Builtin(builtin), _) => kind(*builtin),
    };
    if !kinds.contains(&kind) {
        kinds.push(kind);
    }
}

fn kind(builtin: Builtin) -> Type {
    Type::Builtin(match builtin {
        Builtin::Atom | Builtin::Boolean | Builtin::Module | Builtin::Node => Builtin::Atom,
        Builtin::Integer
        | Builtin::NonNegInteger
        | Builtin::PosInteger
        | Builtin::NegInteger
        | Builtin::Arity
        | Builtin::Byte
        | Builtin::Char => Builtin::Integer,
        Builtin::Binary
        | Builtin::NonemptyBinary
        | Builtin::Bitstring
        | Builtin::NonemptyBitstring => Builtin::Bitstring,
        Builtin::Tuple | Builtin::Mfa => Builtin::Tuple,
        Builtin::String
        | Builtin::NonemptyString
        | Builtin::List
        | Builtin::NonemptyList
        | Builtin::Iolist
        | Builtin::MaybeImproperList
        | Builtin::NonemptyMaybeImproperList => Builtin::MaybeImproperList,
        Builtin::Float
        | Builtin::Number
        | Builtin::Pid
        | Builtin::Port
        | Builtin::Reference
        | Builtin::Identifier
        | Builtin::Function
        | Builtin::Map
        | Builtin::Record => builtin,
        // Bytes are binaries or lists, and a time is an integer or an atom.
        Builtin::Iodata | Builtin::Timeout => return Type::Any,
    })
}
