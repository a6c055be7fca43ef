//! Construction of maps: required keys at once, optional ones one after the other.

use proc_macro2::TokenStream;
use quote::quote;

use super::scope::{Scope, angle_names, doc, identifier};
use crate::ir::{Field, Item, Rest, RustType};

/// `new` and a chainable method for each optional key.
pub(super) fn setters(
    scope: &Scope<'_>,
    item: &Item,
    fields: &[Field],
    rest: Option<&Rest>,
) -> TokenStream {
    let (name, parameters) = (identifier(&item.name), angle_names(&item.parameters));
    let constructor = constructor(scope, fields, rest);
    let setters = fields
        .iter()
        .filter(|field| !field.required)
        .map(|field| setter(scope, field));
    let rest = rest.map(|rest| rest_setter(scope, rest));
    quote! {
        impl #parameters #name #parameters {
            #constructor
            #(#setters)*
            #rest
        }
    }
}

fn constructor(scope: &Scope<'_>, fields: &[Field], rest: Option<&Rest>) -> TokenStream {
    let required = fields.iter().filter(|field| field.required);
    let parameters = required.map(|field| {
        let (name, ty) = (identifier(&field.name), parameter(scope, field));
        quote!(#name: #ty)
    });
    let values = fields.iter().map(|field| {
        let name = identifier(&field.name);
        let value = match field.required {
            true => converted(scope, field),
            false => none(scope),
        };
        quote!(#name: #value)
    });
    let rest = rest.map(|rest| {
        let name = identifier(&rest.name);
        quote!(#name: rt::Map::new())
    });
    let values = values.chain(rest);
    let keys = if fields.iter().any(|field| field.required) {
        "The map with its mandatory keys."
    } else {
        "The map without any key."
    };
    let doc = doc(keys);
    quote! {
        #doc
        pub fn new(#(#parameters),*) -> Self {
            Self { #(#values),* }
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

fn rest_setter(scope: &Scope<'_>, rest: &Rest) -> TokenStream {
    let doc = doc(&format!("With these `{}`.", rest.erlang));
    let name = identifier(&rest.name);
    let (key, value) = (scope.ty(&rest.key), scope.ty(&rest.value));
    quote! {
        #doc
        pub fn #name(mut self, #name: rt::Map<#key, #value>) -> Self {
            self.#name = #name;
            self
        }
    }
}

fn parameter(scope: &Scope<'_>, field: &Field) -> TokenStream {
    if scope.aliases.is_term(&field.ty) {
        return quote!(impl rt::ToTerm);
    }
    let (into, ty) = (scope.standard("Into"), scope.ty(&field.ty));
    match is_number(scope, field) {
        true => ty,
        false => quote!(impl #into<#ty>),
    }
}

/// Whether the type is a number's. With `impl Into`, a literal would not be of its type, and
/// nothing converts into a checked one.
fn is_number(scope: &Scope<'_>, field: &Field) -> bool {
    let canonical = scope.aliases.canonical(&field.ty);
    matches!(
        canonical,
        RustType::Primitive(_) | RustType::Ranged(..) | RustType::Literal(_)
    )
}

fn converted(scope: &Scope<'_>, field: &Field) -> TokenStream {
    let name = identifier(&field.name);
    if scope.aliases.is_term(&field.ty) {
        return quote!(rt::Term::of(&#name));
    }
    match is_number(scope, field) {
        true => quote!(#name),
        false => quote!(#name.into()),
    }
}

fn none(scope: &Scope<'_>) -> TokenStream {
    let option = scope.standard("Option");
    quote!(#option::None)
}
