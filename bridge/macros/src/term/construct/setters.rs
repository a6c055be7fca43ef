//! `new` and the methods of a map.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, DeriveInput, Expr, ExprLit, Fields, Lit, Member, Meta, Result};

use super::attributes::{self, FromOption};
use crate::term::model::{Entry, Map};

pub(super) fn methods(input: &DeriveInput, map: &Map, fields: &Fields) -> Result<TokenStream> {
    let mut keys = Vec::new();
    for entry in &map.entries {
        let attributes = source(fields, &entry.member);
        keys.push(Key {
            entry,
            given: Given::read(attributes)?,
            erlang: erlang(attributes),
        });
    }
    let name = &input.ident;
    let (parameters, arguments, bounds) = input.generics.split_for_impl();
    let new = new(map, &keys);
    let optional = keys.iter().filter(|key| key.entry.optional);
    let setters = optional.map(Key::setter);
    let rest = rest(map, fields);
    let own = keys.iter().map(|key| &key.entry.member);
    let named = own.chain(map.rest.iter().map(|field| &field.member));
    // A parameter has the name of its key, and an atom in scope may have this name: it is a unit
    // struct, and a parameter cannot have the name of a unit struct in scope. A function with the
    // name shadows the struct, and does not prevent the parameter.
    Ok(quote! {
        const _: () = {
            #(#[allow(dead_code)] fn #named() {})*
            impl #parameters #name #arguments #bounds {
                #new
                #(#setters)*
                #rest
            }
        };
    })
}

fn source<'f>(fields: &'f Fields, member: &Member) -> &'f [Attribute] {
    let field = fields.iter().find(|field| match member {
        Member::Named(name) => field.ident.as_ref() == Some(name),
        Member::Unnamed(_) => false,
    });
    field.map_or(&[], |field| &field.attrs)
}

/// The type of a parameter for a value.
enum Given {
    /// Any value that converts into it.
    Into,
    Same,
    /// A number, which is checked.
    Number,
    /// Any term.
    Any,
}

impl Given {
    fn read(attributes: &[Attribute]) -> Result<Self> {
        let options = attributes::read(attributes)?;
        Ok(match options.first() {
            Some(FromOption::Same) => Given::Same,
            Some(FromOption::Number(_)) => Given::Number,
            Some(FromOption::Any) => Given::Any,
            _ => Given::Into,
        })
    }
}

struct Key<'m> {
    entry: &'m Entry,
    given: Given,
    /// The association in Erlang, `` `key => value` ``.
    erlang: String,
}

impl Key<'_> {
    /// `name: Type`
    fn parameter(&self) -> TokenStream {
        let (member, ty) = (&self.entry.member, &self.entry.ty);
        match self.given {
            Given::Into => quote!(#member: impl ::core::convert::Into<#ty>),
            Given::Same => quote!(#member: #ty),
            Given::Number => quote!(#member: impl ::otp_bridge::__private::GivenFor<#ty>),
            Given::Any => quote!(#member: impl ::otp_bridge::ToTerm),
        }
    }

    fn value(&self) -> TokenStream {
        let member = &self.entry.member;
        match self.given {
            Given::Into => quote!(::core::convert::Into::into(#member)),
            Given::Same => quote!(#member),
            Given::Number => quote!(::otp_bridge::__private::GivenFor::checked(#member)),
            Given::Any => quote!(::otp_bridge::Term::of(&#member)),
        }
    }

    fn setter(&self) -> TokenStream {
        let (member, parameter, value) = (&self.entry.member, self.parameter(), self.value());
        let doc = format!("With {}.", self.erlang);
        quote! {
            #[doc = #doc]
            #[inline]
            #[track_caller]
            pub fn #member(mut self, #parameter) -> Self {
                self.#member = ::core::option::Option::Some(#value);
                self
            }
        }
    }
}

fn new(map: &Map, keys: &[Key<'_>]) -> TokenStream {
    let required: Vec<&Key<'_>> = keys.iter().filter(|key| !key.entry.optional).collect();
    let doc = if required.is_empty() {
        "The map without any key."
    } else {
        "The map with its mandatory keys."
    };
    let parameters = required.iter().map(|key| key.parameter());
    let values = keys.iter().map(|key| {
        let member = &key.entry.member;
        let value = if key.entry.optional {
            quote!(::core::option::Option::None)
        } else {
            key.value()
        };
        quote!(#member: #value,)
    });
    let rest = map.rest.iter().map(|field| {
        let member = &field.member;
        quote!(#member: ::core::default::Default::default(),)
    });
    quote! {
        #[doc = #doc]
        #[inline]
        #[track_caller]
        pub fn new(#(#parameters),*) -> Self {
            Self { #(#values)* #(#rest)* }
        }
    }
}

/// Returns the method for all other keys.
fn rest(map: &Map, fields: &Fields) -> Option<TokenStream> {
    let field = map.rest.as_ref()?;
    let (member, ty) = (&field.member, &field.ty);
    let doc = format!("With these {}.", erlang(source(fields, member)));
    Some(quote! {
        #[doc = #doc]
        #[inline]
        pub fn #member(mut self, #member: #ty) -> Self {
            self.#member = #member;
            self
        }
    })
}

/// Returns the documentation, which is the association in Erlang.
fn erlang(attributes: &[Attribute]) -> String {
    let text = attributes
        .iter()
        .find_map(|attribute| match &attribute.meta {
            Meta::NameValue(doc) if doc.path.is_ident("doc") => match &doc.value {
                Expr::Lit(ExprLit {
                    lit: Lit::Str(text),
                    ..
                }) => Some(text.value()),
                _ => None,
            },
            _ => None,
        });
    text.unwrap_or_default().trim().to_owned()
}
