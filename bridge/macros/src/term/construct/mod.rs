//! `derive(Construct)`, for generated types: constructors of their values.
//!
//! | on | what it adds |
//! |---|---|
//! | a variant, a struct with a tag, a `#[term(tuple)]` | `From` its Erlang shape: `atoms::list`, `(atoms::buffer, u64)`, `(u8, u8)` |
//! | a variant with `#[term(untagged)]` | `From` the type of its field, and from an array or a slice if that is a `Vec` |
//! | an element with `#[from(into)]` | in the shape, any value that converts into its type |
//! | an element with `#[from(number = u64)]` | in the shape, a number of this type, which is checked |
//! | an element with `#[from(any)]` | in the shape, any term: its type is `Term` |
//! | a variant with `#[from(none)]` | no such `From` |
//! | a variant with `#[from(atom = continue_)]` | the Rust name of its atom, if it differs from the atom |
//! | an untagged variant with `#[from(u8, (atoms::x, impl Into<Y>))]` | also `From` these types, which convert into its field |
//! | a map | `new`, with the mandatory keys, and a method for each optional key |
//! | a key with `#[from(same)]` | `new` and the method take its type itself, and no other values that convert into it |
//! | a key with `#[from(number)]` | they take a number that is allowed for its type, which is checked |
//! | a key with `#[from(any)]` | they take any term |
//!
//! Atoms are those of the module `atoms` in scope.

mod attributes;
mod conversions;
mod setters;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Result};

use super::model::{StructOrEnum, TermForm};
use super::parse;

/// Expands to the implementations for one type, or to the compile error.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    syn::parse2(input)
        .and_then(|input| implementations(&input))
        .unwrap_or_else(syn::Error::into_compile_error)
}

fn implementations(input: &DeriveInput) -> Result<TokenStream> {
    let item = parse::item(input)?;
    let mut written = TokenStream::new();
    match (&item.shape, &input.data) {
        (StructOrEnum::Struct(form), Data::Struct(data)) => written.extend(match &**form {
            TermForm::Map(map) => setters::methods(input, map, &data.fields)?,
            form => conversions::of_form(input, &quote!(Self), form, &input.attrs, &data.fields)?,
        }),
        (StructOrEnum::Enum(variants), Data::Enum(data)) => {
            for (variant, source) in variants.iter().zip(&data.variants) {
                let name = &source.ident;
                let path = quote!(Self::#name);
                let (attributes, fields) = (&source.attrs, &source.fields);
                let form = &variant.form;
                written.extend(conversions::of_form(
                    input, &path, form, attributes, fields,
                )?);
            }
        }
        _ => {}
    }
    Ok(written)
}
