//! `JsonRepresentation::from_json`.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::super::model::{Entry, Field, Item, Map, TermForm};
use super::{first_shape, inner_position, probe};

/// Returns the function, which tries forms with a tag first, then the others in the order of the
/// source, as for terms.
pub(super) fn from_json(item: &Item) -> TokenStream {
    let forms = item.forms();
    if let [(path, form)] = forms.as_slice() {
        let construct = construct(item, path, form);
        if let TermForm::Transparent(_) = form {
            return quote!(::std::result::Result::Ok(#construct));
        }
        let read = within_shape(form, quote!(return ::std::result::Result::Ok(#construct);));
        return quote! {
            #read
            ::std::result::Result::Err(::otp_bridge::json::derived::expected::<Self>(__otp_json))
        };
    }
    let is_tagged = |form: &TermForm| matches!(form, TermForm::Atom(_) | TermForm::Tagged(..));
    let numbered = forms.iter().enumerate();
    let (tagged, untagged): (Vec<_>, Vec<_>) = numbered.partition(|(_, (_, form))| is_tagged(form));
    let tries = tagged
        .iter()
        .chain(&untagged)
        .map(|(number, (path, form))| {
            let construct = construct(item, path, form);
            let read = quote! {
                let __otp_read = ||
                    ::std::result::Result::<Self, ::otp_bridge::term::DecodeError>::Ok(#construct);
                if let ::std::option::Option::Some(__otp_value) = __otp_attempts.add(#number, __otp_read()) {
                    return ::std::result::Result::Ok(__otp_value);
                }
            };
            let read = within_shape(form, read);
            if let TermForm::Atom(_) = form {
                return read;
            }
            quote! {
                if __otp_attempts.may_be(#number)
                    && ::otp_bridge::json::derived::may_be_member::<Self>(__otp_json, #number)
                { #read }
            }
        });
    let attempts = if are_told_apart(&forms) {
        quote!(by_tags())
    } else {
        quote!(of::<Self>(__otp_json))
    };
    quote! {
        #[allow(unused_mut)]
        let mut __otp_attempts = ::otp_bridge::json::derived::Attempts::#attempts;
        #(#tries)*
        ::std::result::Result::Err(__otp_attempts.error::<Self>(__otp_json))
    }
}

/// Returns whether at most one of the forms has parts, or all of these have tags and differ in the
/// tag or the size.
fn are_told_apart(forms: &[(TokenStream, &TermForm)]) -> bool {
    let mut tags = BTreeSet::new();
    let containing = forms
        .iter()
        .filter(|(_, form)| !matches!(form, TermForm::Atom(_)));
    let containing: Vec<&TermForm> = containing.map(|(_, form)| *form).collect();
    containing.len() < 2
        || containing.iter().all(|form| match form {
            TermForm::Tagged(tag, fields) => tags.insert((tag.text.clone(), fields.len())),
            TermForm::Atom(_)
            | TermForm::Tuple(_)
            | TermForm::Transparent(_)
            | TermForm::Map(_) => false,
        })
}

/// Runs `body` if the JSON has the outer shape of the form, with its parts bound.
fn within_shape(form: &TermForm, body: TokenStream) -> TokenStream {
    let derived = quote!(::otp_bridge::json::derived);
    let some = quote!(::std::option::Option::Some);
    match form {
        TermForm::Atom(tag) => {
            let text = &tag.text;
            quote!(if #derived::is_atom(__otp_json, #text) { #body })
        }
        TermForm::Tagged(tag, fields) => {
            let (text, count) = (&tag.text, fields.len());
            quote! {
                if let #some(__otp_elements) = #derived::tagged_elements(__otp_json, #text, #count) { #body }
            }
        }
        TermForm::Tuple(fields) => {
            let (first, count) = (first_shape(fields), fields.len());
            quote! {
                if let #some(__otp_elements) = #derived::tuple_elements(&#first, __otp_json, #count) { #body }
            }
        }
        TermForm::Transparent(_) => quote!({ #body }),
        TermForm::Map(map) => {
            let (known, other) = (
                map.entries.iter().map(|entry| &entry.key.text),
                other_keys(map),
            );
            quote! {
                if let #some(__otp_entries) = #derived::object(__otp_json, &[#(#known),*], #other) {
                    let (__otp_object, __otp_rest) = __otp_entries.parts();
                    #body
                }
            }
        }
    }
}

/// Returns an expression for the value, with `?` for parts that may not have their types.
fn construct(item: &Item, path: &TokenStream, form: &TermForm) -> TokenStream {
    let members = form.members();
    let element = |field: &Field, number: usize, position: usize| {
        let probe = probe(&field.ty);
        quote! {
            ::otp_bridge::json::derived::read_element(&#probe, &__otp_elements[#number], #position)?
        }
    };
    let elements = |fields: &[Field], tag: usize| -> Vec<TokenStream> {
        let numbered = fields.iter().enumerate();
        numbered
            .map(|(number, field)| element(field, number, number + tag))
            .collect()
    };
    let values = match form {
        TermForm::Atom(_) => Vec::new(),
        TermForm::Tagged(_, fields) => elements(fields, 1),
        TermForm::Tuple(fields) => elements(fields, 0),
        TermForm::Transparent(field) => {
            let (probe, position) = (probe(&field.ty), inner_position(item));
            vec![quote!((#probe.from_json)(__otp_json, #position)?)]
        }
        TermForm::Map(map) => {
            let rest = map.rest.iter().map(|rest| {
                let probe = probe(&rest.ty);
                quote!((#probe.from_json)(__otp_rest, ::otp_bridge::json::Position::Member)?)
            });
            map.entries.iter().map(read_entry).chain(rest).collect()
        }
    };
    let refusal = match form {
        TermForm::Map(map) if map.exact => {
            quote!(::otp_bridge::json::derived::refuse_other_keys(__otp_rest)?;)
        }
        _ => TokenStream::new(),
    };
    quote!({ #refusal #path { #(#members: #values),* } })
}

/// Returns whether keys other than the known ones are examined.
fn other_keys(map: &Map) -> bool {
    map.rest.is_some() || map.exact
}

fn read_entry(entry: &Entry) -> TokenStream {
    let (probe, key) = (probe(&entry.ty), &entry.key.text);
    let read = if entry.optional {
        quote!(read_optional_key)
    } else {
        quote!(read_key)
    };
    quote!(::otp_bridge::json::derived::#read(&#probe, __otp_object, #key)?)
}
