//! The types that functions of clauses accept for a union: a trait for each union, whose message
//! quotes OTP's form.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::conversions::is_enum;
use super::scope::{Scope, identifier};
use crate::ir::{Behaviour, Constructor, Given, Item, ItemKind, RustType, VariantShape};

/// Maximum number of forms that a message quotes.
const FORMS: usize = 4;

/// Returns the unions that are targets of conversions, as items of the `#[constructors]` block.
pub(super) fn declarations(scope: &Scope<'_>, behaviour: &Behaviour) -> TokenStream {
    let mut unions = BTreeMap::new();
    let taken = behaviour.constructors.iter().flat_map(converted);
    for ty in taken.filter(|ty| is_enum(scope, ty)) {
        if let Some(item) = item(scope, ty) {
            unions.insert(&item.name, (ty, item));
        }
    }
    let declared = unions.into_values().map(|(ty, item)| {
        let (name, path) = (trait_name(item), scope.ty(ty));
        let erlang = brief(&item.erlang);
        let mut forms = Vec::new();
        collect_forms(scope, item, &mut forms);
        quote! {
            #[converted(#path)]
            #[erlang = #erlang]
            #(#[note = #forms])*
            type #name;
        }
    });
    quote!(#(#declared)*)
}

/// Returns the trait of the types that convert into this type, if there is one.
pub(super) fn bound(scope: &Scope<'_>, ty: &RustType) -> Option<TokenStream> {
    let item = item(scope, ty).filter(|_| is_enum(scope, ty))?;
    let name = trait_name(item);
    Some(quote!(#name))
}

fn trait_name(item: &Item) -> proc_macro2::Ident {
    identifier(&format!("Into{}", item.name))
}

/// Returns types of the elements of clauses that accept converted types.
fn converted(made: &Constructor) -> Vec<&RustType> {
    let mut types = Vec::new();
    for (index, (_, given)) in made.elements.iter().enumerate() {
        match given {
            Given::Same(ty) => types.push(ty),
            Given::Converted(_) => {
                let columns = made.enums.iter().filter_map(|one| one.types.get(index));
                types.extend(columns);
            }
        }
    }
    types
}

fn item<'m>(scope: &Scope<'m>, ty: &RustType) -> Option<&'m Item> {
    let RustType::Item { module, name, .. } = ty else {
        return None;
    };
    let own = *module == scope.module.name;
    scope.complete.item(name).filter(|_| own)
}

/// Returns the type's name in Erlang: `[action()] | action()`; `action()` for `-type action() :: …`
fn brief(erlang: &str) -> String {
    let Some(form) = erlang.strip_prefix("-type ") else {
        return erlang.to_owned();
    };
    form.split(" :: ").next().unwrap_or(form).to_owned()
}

/// Collects the forms of the item and of the unions that are its members, those of the outer ones
/// first.
fn collect_forms(scope: &Scope<'_>, item: &Item, forms: &mut Vec<String>) {
    let mut open = vec![item];
    let mut next = 0;
    while let Some(item) = open.get(next).copied() {
        next += 1;
        if !item.anonymous && forms.len() < FORMS {
            forms.push(item.erlang.clone());
        }
        for member in members(item) {
            let found = self::item(scope, member);
            let new = found.filter(|found| !open.iter().any(|known| known.name == found.name));
            let is_form =
                |found: &&Item| matches!(found.kind, ItemKind::Enum(_) | ItemKind::Tuple { .. });
            open.extend(new.filter(is_form));
        }
    }
}

/// Returns the types that are members of a union, or elements of a list that is a member.
fn members(item: &Item) -> Vec<&RustType> {
    let ItemKind::Enum(variants) = &item.kind else {
        return Vec::new();
    };
    let untagged = variants.iter().filter_map(|variant| match &variant.shape {
        VariantShape::Untagged(ty) => Some(ty),
        VariantShape::Unit(_) | VariantShape::Tagged(..) | VariantShape::Tuple(_) => None,
    });
    untagged
        .flat_map(|ty| match ty {
            RustType::Standard(_, parts) => parts.iter().collect(),
            other => vec![other],
        })
        .collect()
}
