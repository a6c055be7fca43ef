//! Construction of maps: required keys at once, optional ones one after the other.

use proc_macro2::TokenStream;
use quote::quote;

use super::scope::{Scope, angle_names, doc, identifier};
use crate::ir::{Field, Item};

/// `new` and a chainable method for each optional key.
pub(super) fn setters(scope: &Scope<'_>, item: &Item, fields: &[Field]) -> TokenStream {
    let (name, parameters) = (identifier(&item.name), angle_names(&item.parameters));
    let constructor = constructor(scope, fields);
    let setters = fields
        .iter()
        .filter(|field| !field.required)
        .map(|field| setter(scope, field));
    quote! {
        impl #parameters #name #parameters {
            #constructor
            #(#setters)*
        }
    }
}

fn constructor(scope: &Scope<'_>, fields: &[Field]) -> TokenStream {
    let names: Vec<_> = fields.iter().map(|field| identifier(&field.name)).collect();
    let required = fields.iter().filter(|field| field.required);
    let parameters = required.map(|field| {
        let (name, ty) = (identifier(&field.name), parameter(scope, field));
        quote!(#name: #ty)
    });
    let values = fields.iter().map(|field| {
        if field.required {
            converted(scope, field)
        } else {
            none(scope)
        }
    });
    let keys = if fields.iter().any(|field| field.required) {
        "The map with its mandatory keys."
    } else {
        "The map without any key."
    };
    let doc = doc(keys);
    quote! {
        #doc
        pub fn new(#(#parameters),*) -> Self {
            Self { #(#names: #values),* }
        }
    }
}

fn setter(scope: &Scope<'_>, field: &Field) -> TokenStream {
    let doc = doc(&format!("With `{}`.", field.erlang));
    let (name, ty, value) = (
        identifier(&field.name),
        parameter(scope, field),
        converted(scope, field),
    );
    let some = scope.standard("Some");
    quote! {
        #doc
        pub fn #name(mut self, #name: #ty) -> Self {
            self.#name = #some(#value);
            self
        }
    }
}

fn parameter(scope: &Scope<'_>, field: &Field) -> TokenStream {
    if scope.aliases.is_term(&field.ty) {
        return quote!(impl rt::ToTerm);
    }
    let (into, ty) = (scope.standard("Into"), scope.ty(&field.ty));
    quote!(impl #into<#ty>)
}

fn converted(scope: &Scope<'_>, field: &Field) -> TokenStream {
    let name = identifier(&field.name);
    if scope.aliases.is_term(&field.ty) {
        return quote!(rt::Term::of(&#name));
    }
    quote!(#name.into())
}

fn none(scope: &Scope<'_>) -> TokenStream {
    let option = scope.standard("Option");
    quote!(#option::None)
}
