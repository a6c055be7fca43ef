//! Lifetimes in the types that a macro gets.

use syn::visit_mut::{self, VisitMut};
use syn::{Generics, Lifetime, Type, TypeReference};

/// Returns the type with this lifetime instead of each that is not `'static`, including elided
/// ones.
pub(crate) fn renamed(ty: &Type, name: &str) -> Type {
    let mut rename = Rename { name, found: false };
    let mut ty = ty.clone();
    rename.visit_type_mut(&mut ty);
    ty
}

/// Returns whether the type has a lifetime that is not `'static`.
pub(crate) fn is_in(ty: &Type) -> bool {
    let mut rename = Rename {
        name: "'_",
        found: false,
    };
    rename.visit_type_mut(&mut ty.clone());
    rename.found
}

/// Returns whether values of a type with these parameters borrow.
pub(crate) fn has_any(generics: &Generics) -> bool {
    generics.lifetimes().next().is_some()
}

/// Returns whether the type is `&str` or `&[u8]`.
pub(crate) fn is_slice(ty: &Type) -> bool {
    matches!(ty, Type::Reference(it) if it.mutability.is_none() && is_slice_type(&it.elem))
}

/// Returns whether the type is this primitive type of Rust, alone or as `::core::primitive::u8`.
pub(crate) fn is_primitive(ty: &Type, name: &str) -> bool {
    let Type::Path(path) = ty else { return false };
    let names: Vec<String> = path
        .path
        .segments
        .iter()
        .map(|it| it.ident.to_string())
        .collect();
    match names.as_slice() {
        [own] => own == name,
        [_, module, own] => module == "primitive" && own == name,
        _ => false,
    }
}

/// Returns whether the type is `str` or `[u8]`.
pub(crate) fn is_slice_type(ty: &Type) -> bool {
    match ty {
        Type::Slice(slice) => is_primitive(&slice.elem, "u8"),
        ty => is_primitive(ty, "str"),
    }
}

/// The message for a borrowed argument of a function that waits.
pub(crate) const BORROWED_ACROSS_AWAIT: &str = "an `async` or dirty function cannot borrow its arguments, because the VM moves terms while it \
     waits: take an owned type (`Binary` or `Bytes`, `String`)";

struct Rename<'n> {
    name: &'n str,
    found: bool,
}

impl VisitMut for Rename<'_> {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident != "static" {
            self.found = true;
            *lifetime = Lifetime::new(self.name, lifetime.span());
        }
    }

    fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
        if reference.lifetime.is_none() {
            self.found = true;
            let span = reference.and_token.span;
            reference.lifetime = Some(Lifetime::new(self.name, span));
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }
}
