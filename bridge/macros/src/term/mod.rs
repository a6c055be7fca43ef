//! `derive(Term)`: the Erlang form of a Rust type.
//!
//! | Rust | Erlang |
//! |---|---|
//! | `struct Get;`, variant `Get` | `get` |
//! | `struct Add(u64);`, variant `Add(u64)` | `{add, N}` |
//! | `struct P { x: A }` | `#{x := A}` |
//! | field `#[term(optional)] y: Option<B>` | `y => B` |
//! | field `#[term(key = "type")]` | another key |
//! | field `#[term(rest)] others: Map<K, V>` | `K => V`: every key without a field of its own |
//! | struct `#[term(exact)]` of keys | a map as above; a map with other keys is refused |
//! | `#[term(record)]` on fields with names | `{p, X, Y}` |
//! | `#[term(tuple)]` | `{X, Y}`, no tag |
//! | struct `#[term(transparent)]`, variant `#[term(untagged)]` | the term of the only field |
//! | `#[term(tag = "continue")]` | another tag |
//! | `#[reply(Balance)]` on the type | `impl Request { type Reply = Balance; }` |
//! | `struct Put<'a> { value: &'a [u8] }` | a map as above; values borrow from the term that they are decoded from |
//!
//! `derive(ToTerm)` only encodes: it also has `#[term(skip)]`, for fields at the end that do not
//! belong to the term.
//!
//! [`parse`] converts the source into a [`model::Item`], [`clash`] rejects forms that could not be
//! decoded, and each of the other files generates one trait.

mod attributes;
mod borrowed;
mod check;
mod clash;
mod construct;
mod covered;
mod erlang_type;
mod field_type;
mod from_term;
mod json;
mod model;
mod parse;
mod shape;
mod skip;
mod stand_in;
mod to_term;
mod watch;

#[cfg(test)]
mod tests;

pub(crate) use construct::derive as derive_construct;

use proc_macro2::TokenStream;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{DeriveInput, Result};

use crate::lifetimes;
use model::Item;

/// Expands to the implementations for one type, or to the compile error.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    expanded(input, implementations, true)
}

/// Expands to the implementations for one type that is only encoded, or to the compile error.
pub(crate) fn derive_to_term(input: TokenStream) -> TokenStream {
    expanded(input, written, false)
}

/// Expands to the implementations. If the type is wrong, expands to the compile error and to
/// implementations that do nothing: so the error is reported once, and not wherever the type is
/// used.
fn expanded(
    input: TokenStream,
    implementations: impl Fn(DeriveInput) -> Result<TokenStream>,
    is_read: bool,
) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    if let Some(error) = second(&input) {
        return error.into_compile_error();
    }
    implementations(input.clone()).unwrap_or_else(|error| {
        let (error, stand_in) = (error.into_compile_error(), stand_in::of(&input, is_read));
        quote!(#error #stand_in)
    })
}

/// Returns the error of another derive below, which implements the traits.
fn second(input: &DeriveInput) -> Option<syn::Error> {
    let derives = input.attrs.iter().filter(|it| it.path().is_ident("derive"));
    let paths = derives.flat_map(|derive| {
        let paths = Punctuated::<syn::Path, syn::Token![,]>::parse_terminated;
        derive.parse_args_with(paths).unwrap_or_default()
    });
    let mut others = paths.filter(|path| {
        let path: Vec<String> = path
            .segments
            .iter()
            .map(|it| it.ident.to_string())
            .collect();
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        matches!(
            path.as_slice(),
            ["Term" | "ToTerm"] | ["otp_bridge", "Term" | "ToTerm"]
        )
    });
    let message = "the type has two derives for its term: remove one of them";
    others
        .next()
        .map(|path| syn::Error::new_spanned(path, message))
}

fn written(input: DeriveInput) -> Result<TokenStream> {
    let mut item = parse::item(&skip::without_skipped(input)?)?;
    clash::check(&item)?;
    item.decide(false);
    let atoms = item.atoms.declarations();
    let erlang_type = erlang_type::implementation(&item);
    let to_term = to_term::implementation(&item);
    Ok(quote! {
        #[allow(clippy::all)]
        const _: () = {
            #atoms
            #erlang_type
            #to_term
        };
    })
}

fn implementations(input: DeriveInput) -> Result<TokenStream> {
    let borrows = lifetimes::has_any(&input.generics);
    if !borrows {
        stand_in::refuse_references(&input)?;
    }
    let mut item = parse::item(&input)?;
    clash::check(&item)?;
    item.decide(true);
    let (from_term, json) = if borrows {
        borrowed::check(&item)?;
        (borrowed::implementation(&item), None)
    } else {
        (
            from_term::implementation(&item),
            Some(json::implementations(&item)),
        )
    };
    let atoms = item.atoms.declarations();
    let erlang_type = erlang_type::implementation(&item);
    let to_term = to_term::implementation(&item);
    let (request, parts) = (request(&item), parts(&item));
    let covered = covered::checks(&item);
    Ok(quote! {
        #[allow(clippy::all)]
        const _: () = {
            #atoms
            #parts
            #erlang_type
            #to_term
            #from_term
            #json
            #request
            #covered
        };
    })
}

/// Asserts that the fields whose types depend on a parameter are terms, if the parameters are.
fn parts(item: &Item) -> Option<TokenStream> {
    let forms = item.forms();
    let types = forms.iter().flat_map(|(_, form)| form.types());
    let assertions: Vec<TokenStream> = types.filter_map(|ty| ty.assertion()).collect();
    let is_term = [
        quote!(::otp_bridge::term::ToTerm),
        quote!(::otp_bridge::term::FromTerm),
    ];
    let generics = item.bound(&is_term);
    let (parameters, _, bounds) = generics.split_for_impl();
    (!assertions.is_empty()).then(|| {
        quote! {
            #[allow(unused_imports)]
            use ::otp_bridge::term::derived::NotAPart as _;

            #[allow(dead_code)]
            fn __otp_parts #parameters() #bounds {
                #(let _ = #assertions;)*
            }
        }
    })
}

fn request(item: &Item) -> Option<TokenStream> {
    let reply = item.reply.as_ref()?;
    let header = item.header(
        &quote!(::otp_bridge::Request),
        &[
            quote!(::otp_bridge::term::ToTerm),
            quote!(::otp_bridge::term::FromTerm),
            quote!(::core::marker::Send),
            quote!('static),
        ],
    );
    Some(quote! {
        #header {
            type Reply = #reply;
        }
    })
}
