//! From a written type to its meaning.

use std::sync::Arc;

use super::{MAX_DEPTH, Resolver};
use crate::ast::{self, Location, TypeKind};
use crate::catalog;
use crate::print;
use crate::types::{Int, MapField, Type, TypeName};

impl<'a> Resolver<'a> {
    /// Resolves a type where it stands.
    pub(super) fn ty(&mut self, written: &'a ast::Type) -> Type {
        let at = written.at;
        if !self.spend(1, at, "type") {
            return Type::Invalid;
        }
        if self.depth >= MAX_DEPTH {
            self.report(catalog::TOO_DEEP.at(at, ""));
            return Type::Invalid;
        }
        self.depth += 1;
        let resolved = self.kind(written);
        self.depth -= 1;
        resolved
    }

    fn kind(&mut self, written: &'a ast::Type) -> Type {
        let at = written.at;
        match &written.kind {
            TypeKind::Variable(name) => self.variable(name, at),
            TypeKind::Annotated(name, inner) => {
                Type::Annotated(print::variable(name).into_owned(), Box::new(self.ty(inner)))
            }
            TypeKind::Atom(name) => Type::Atom(name.to_string()),
            TypeKind::Integer(_)
            | TypeKind::Char(_)
            | TypeKind::Prefix(..)
            | TypeKind::Infix(..) => self.integer(written).map_or(Type::Invalid, Type::Integer),
            TypeKind::Range(low, high) => self.range(at, low, high),
            TypeKind::Union(members) => self.union(members),
            TypeKind::Builtin(name, arguments) => self.builtin(at, name, arguments),
            TypeKind::User(name, arguments) => self.local(at, name, arguments),
            TypeKind::Remote(module, name, arguments) => self.remote(at, module, name, arguments),
            TypeKind::Tuple(Some(elements)) => Type::Tuple(self.all(elements)),
            TypeKind::Tuple(None) => Type::Builtin(crate::types::Builtin::Tuple),
            TypeKind::Map(Some(fields)) => {
                Type::Map(fields.iter().map(|field| self.map_field(field)).collect())
            }
            TypeKind::Map(None) => Type::Builtin(crate::types::Builtin::Map),
            TypeKind::Record(module, name, fields) => {
                self.record_type(at, module.as_ref(), name, fields)
            }
            TypeKind::Fun(Some(signature)) => {
                let parameters = signature.parameters.as_ref();
                let parameters = parameters.map(|parameters| self.all(parameters));
                Type::Fun(parameters, Box::new(self.ty(&signature.result)))
            }
            TypeKind::Fun(None) => Type::Builtin(crate::types::Builtin::Function),
            TypeKind::Bitstring(size, unit) => self.bitstring(size, unit),
        }
    }

    pub(super) fn all(&mut self, types: &'a [ast::Type]) -> Vec<Type> {
        types.iter().map(|ty| self.ty(ty)).collect()
    }

    /// Members in written order; a union inside a union is flattened.
    fn union(&mut self, members: &'a [ast::Type]) -> Type {
        let mut flat = Vec::with_capacity(members.len());
        for member in members {
            match self.ty(member) {
                Type::Union(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        Type::Union(flat)
    }

    fn map_field(&mut self, field: &'a ast::MapField) -> MapField {
        MapField {
            key: self.ty(&field.key),
            value: self.ty(&field.value),
            required: field.required,
        }
    }

    fn range(&mut self, at: Location, low: &'a ast::Type, high: &'a ast::Type) -> Type {
        let (Some(low), Some(high)) = (self.integer(low), self.integer(high)) else {
            return Type::Invalid;
        };
        if super::integers::less(&high, &low) {
            let shown = format!("{}..{}", low.text(), high.text());
            self.report(catalog::EMPTY_RANGE.at(at, shown));
            return Type::Invalid;
        }
        Type::Range(low, high)
    }

    fn bitstring(&mut self, size: &'a ast::Type, unit: &'a ast::Type) -> Type {
        let mut bits = |ty: &'a ast::Type| match self.integer(ty) {
            Some(Int::Small(value)) => match u64::try_from(value) {
                Ok(bits) => Some(bits),
                Err(_) => {
                    self.report(catalog::BAD_BINARY_TYPE.at(ty.at, ""));
                    None
                }
            },
            Some(Int::Big(_)) => {
                self.report(catalog::BAD_BINARY_TYPE.at(ty.at, ""));
                None
            }
            None => None,
        };
        match (bits(size), bits(unit)) {
            (Some(size), Some(unit)) => Type::Bitstring { size, unit },
            _ => Type::Invalid,
        }
    }

    /// A type of this module.
    pub(super) fn local(&mut self, at: Location, name: &str, arguments: &'a [ast::Type]) -> Type {
        let arguments = self.all(arguments);
        if self.names.has_type(name, arguments.len()) {
            let name = TypeName {
                module: self.names.module.to_string(),
                name: name.to_owned(),
                arity: arguments.len(),
            };
            return Type::Named(Arc::new(name), arguments);
        }
        let shown = format!("{name}/{}", arguments.len());
        self.report(catalog::UNKNOWN_TYPE.at(at, shown));
        Type::Invalid
    }
}
