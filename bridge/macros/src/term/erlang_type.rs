//! `impl ErlangType`

use proc_macro2::TokenStream;
use quote::quote;

use super::model::{Entry, Field, Form, Item, Map};
use crate::names::snake_case;

pub(super) fn implementation(item: &Item) -> TokenStream {
    let header = item.header(
        &quote!(::otp_bridge::term::ErlangType),
        &[quote!(::otp_bridge::term::ErlangType)],
    );
    let name = snake_case(&item.name.to_string());
    let members: Vec<TokenStream> = item.forms().iter().map(|(_, form)| text(form)).collect();
    let union = match members.as_slice() {
        [] => quote!(::std::string::String::from("none()")),
        [only] => only.clone(),
        _ => quote!([#(#members),*].join(" | ")),
    };
    quote! {
        #header {
            fn erlang_type() -> ::std::string::String {
                ::otp_bridge::term::name_recursive_type::<Self>(#name, || #union)
            }
        }
    }
}

/// An expression for the text of a form.
fn text(form: &Form) -> TokenStream {
    match form {
        Form::Atom(tag) => {
            let place = &tag.place;
            quote!(::otp_bridge::term::quote_atom(#place.text()))
        }
        Form::Tagged(tag, fields) => {
            let place = &tag.place;
            tuple(
                Some(quote!(::otp_bridge::term::quote_atom(#place.text()))),
                fields,
            )
        }
        Form::Tuple(fields) => tuple(None, fields),
        Form::Transparent(field) => of_type(field),
        Form::Map(form) => map(form),
    }
}

fn of_type(field: &Field) -> TokenStream {
    let ty = &field.ty;
    quote!(<#ty as ::otp_bridge::term::ErlangType>::erlang_type())
}

fn tuple(tag: Option<TokenStream>, fields: &[Field]) -> TokenStream {
    let elements = tag.into_iter().chain(fields.iter().map(of_type));
    enclose("{", elements, "}")
}

fn map(map: &Map) -> TokenStream {
    let associations = map.entries.iter().map(
        |Entry {
             key, ty, optional, ..
         }| {
            let place = &key.place;
            let arrow = if *optional { " => " } else { " := " };
            quote! {
                ::otp_bridge::term::quote_atom(#place.text())
                    + #arrow
                    + &<#ty as ::otp_bridge::term::ErlangType>::erlang_type()
            }
        },
    );
    let rest = map.rest.iter().map(|field| {
        let ty = &field.ty;
        quote!(::otp_bridge::term::derived::associations_text::<#ty>())
    });
    enclose("#{", associations.chain(rest), "}")
}

fn enclose(open: &str, parts: impl Iterator<Item = TokenStream>, close: &str) -> TokenStream {
    quote! {{
        let parts: ::std::vec::Vec<::std::string::String> = ::std::vec![#(#parts),*];
        ::std::string::String::from(#open) + &parts.join(", ") + #close
    }}
}
