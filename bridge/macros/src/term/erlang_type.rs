//! `impl ErlangType`

use otp_contract::rust::snake_case;
use proc_macro2::TokenStream;
use quote::quote;

use super::model::{Entry, Field, Form, Item, Map};

pub(super) fn implementation(item: &Item) -> TokenStream {
    let header = item.header(
        &quote!(::otp_bridge::term::ErlangType),
        &[quote!(::otp_bridge::term::ErlangType)],
    );
    let name = snake_case(&item.name.to_string());
    // Of a field without a form the compiler says the same here and in `ToTerm`, and so once. Where there are
    // type parameters, their bounds are those of this trait.
    let by = match item.generics.type_params().next() {
        None => quote!(::otp_bridge::term::ToTerm > ::__erlang_type()),
        Some(_) => quote!(::otp_bridge::term::ErlangType > ::erlang_type()),
    };
    let forms = item.forms();
    let members: Vec<TokenStream> = forms.iter().map(|(_, form)| text(form, &by)).collect();
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
fn text(form: &Form, by: &TokenStream) -> TokenStream {
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
                by,
            )
        }
        Form::Tuple(fields) => tuple(None, fields, by),
        Form::Transparent(field) => of_type(field, by),
        Form::Map(form) => map(form, by),
    }
}

fn of_type(field: &Field, by: &TokenStream) -> TokenStream {
    let ty = &field.ty;
    quote!(<#ty as #by)
}

fn tuple(tag: Option<TokenStream>, fields: &[Field], by: &TokenStream) -> TokenStream {
    let fields = fields.iter().map(|field| of_type(field, by));
    let elements = tag.into_iter().chain(fields);
    enclose("{", elements, "}")
}

fn map(map: &Map, by: &TokenStream) -> TokenStream {
    let associations = map.entries.iter().map(
        |Entry {
             key, ty, optional, ..
         }| {
            let place = &key.place;
            let arrow = if *optional { " => " } else { " := " };
            quote! {
                ::otp_bridge::term::quote_atom(#place.text())
                    + #arrow
                    + &<#ty as #by
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
