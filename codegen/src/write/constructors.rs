//! `clause`: functions that create a clause for every return enum that has it.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::accepted;
use super::scope::{Scope, angle_names, doc, identifier};
use crate::ir::{Behaviour, Callback, Constructed, Constructor, Given, Returns, RustType};

/// Returns the module `clause`.
pub(super) fn constructors(scope: &Scope<'_>, behaviour: &Behaviour) -> TokenStream {
    let scope = scope.nested();
    let all = &behaviour.constructors;
    let mut known = BTreeSet::new();
    let enums = all.iter().flat_map(|made| &made.enums);
    let enums = enums.filter(|constructed| known.insert(&constructed.enumeration));
    let enums = enums.map(|constructed| declaration(&scope, behaviour, constructed));
    let accepted = accepted::declarations(&scope, behaviour);
    let functions = all.iter().map(|made| constructor(&scope, made));
    let run_time = super::run_time_import(all.is_empty());
    let block = (!all.is_empty()).then(|| {
        quote! {
            #[rt::constructors]
            extern "Erlang" {
                #(#enums)*
                #accepted
                #(#functions)*
            }
        }
    });
    quote! {
        /// Functions that make the clauses of callbacks' results, each for every callback that has
        /// the clause.
        pub mod clause {
            #run_time
            #block
        }
    }
}

/// Returns the declaration of a return enum, with the text that messages about it quote.
fn declaration(scope: &Scope<'_>, behaviour: &Behaviour, constructed: &Constructed) -> TokenStream {
    let name = identifier(&constructed.enumeration);
    let parameters = angle_names(&constructed.parameters);
    let notes = &constructed.notes;
    let returns = |callback: &&Callback| match &callback.result.returns {
        Returns::Clauses { name, .. } => *name == constructed.enumeration,
        Returns::AnyTerm | Returns::Type(_) => false,
    };
    let callback = behaviour.callbacks.iter().find(returns);
    let callback = callback.map(|callback| callback.qualified(&scope.module.name));
    let callback = callback.map(|name| quote!(#[callback = #name]));
    quote!(#callback #(#[note = #notes])* type #name #parameters;)
}

fn constructor(scope: &Scope<'_>, made: &Constructor) -> TokenStream {
    let scope = &scope.with_parameters(&made.parameters);
    let (function, name) = (identifier(&made.function), identifier(&made.trait_name));
    let parameters = angle_names(&made.parameters);
    let doc = doc(&format!("`{}`", made.erlang));
    let attributes = clauses_of(scope, made);
    let arguments = made.elements.iter().map(|(name, given)| match given {
        Given::Same(ty) => parameter(scope, name, ty),
        Given::Converted(parameter) => {
            let (name, parameter) = (identifier(name), identifier(parameter));
            quote!(#name: #parameter)
        }
    });
    quote! {
        #doc
        #attributes
        pub fn #function #parameters(#(#arguments),*) -> impl #name #parameters;
    }
}

/// Returns `#[clause_of(…)]` for the enums that have the clause. Enums whose converted types are
/// equal share one attribute.
fn clauses_of(scope: &Scope<'_>, made: &Constructor) -> TokenStream {
    let mut groups: Vec<(Vec<&RustType>, Vec<TokenStream>)> = Vec::new();
    for constructed in &made.enums {
        let pairs = made.elements.iter().zip(&constructed.types);
        let converted = pairs.filter(|((_, given), _)| matches!(given, Given::Converted(_)));
        let types: Vec<&RustType> = converted.map(|(_, ty)| ty).collect();
        let path = path(made, constructed);
        match groups.iter_mut().find(|(known, _)| *known == types) {
            Some((_, paths)) => paths.push(path),
            None => groups.push((types, vec![path])),
        }
    }
    let names = made
        .elements
        .iter()
        .filter_map(|(name, given)| match given {
            Given::Same(_) => None,
            Given::Converted(_) => Some(identifier(name)),
        });
    let names: Vec<_> = names.collect();
    let attributes = groups.into_iter().map(|(types, paths)| {
        let types = types.into_iter().map(|ty| scope.ty(ty));
        quote!(#[clause_of(#(#paths),* #(, #names = #types)*)])
    });
    quote!(#(#attributes)*)
}

/// Returns the enum, with the variant if the trait's name does not determine it.
fn path(made: &Constructor, constructed: &Constructed) -> TokenStream {
    let enumeration = identifier(&constructed.enumeration);
    if made.trait_name.strip_prefix("Is") == Some(&constructed.variant) {
        return quote!(#enumeration);
    }
    let variant = identifier(&constructed.variant);
    quote!(#enumeration::#variant)
}

fn parameter(scope: &Scope<'_>, name: &str, ty: &RustType) -> TokenStream {
    let name = identifier(name);
    if scope.aliases.is_term(ty) {
        return quote!(#name: impl rt::ToTerm);
    }
    let written = scope.ty(ty);
    if let Some(bound) = accepted::bound(scope, ty) {
        return quote!(#name: impl #bound);
    }
    quote!(#name: #written)
}
