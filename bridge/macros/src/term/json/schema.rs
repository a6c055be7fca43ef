//! `JsonRepresentation::schema`, and the parts of a type that determine how other types are
//! written.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::super::model::{Field, Item, StructOrEnum, TermForm};
use super::{first_shape, inner_position, probe};

/// Returns a reference to the type's schema. For a type without a shape of its own, returns the
/// field's schema in this position.
pub(super) fn schema_in_position(item: &Item) -> TokenStream {
    let reference = quote!(__otp_generator.subschema_for::<Self>());
    match &item.shape {
        StructOrEnum::Struct(form) => match &**form {
            TermForm::Transparent(_) => {
                let inner = form_schema(item, form);
                quote! {
                    match __otp_position {
                        ::otp_bridge::json::Position::Alone => #reference,
                        ::otp_bridge::json::Position::Member => #inner,
                    }
                }
            }
            _ => reference,
        },
        StructOrEnum::Enum(_) => reference,
    }
}

pub(super) fn schema(item: &Item) -> TokenStream {
    match &item.shape {
        StructOrEnum::Struct(form) => form_schema(item, form),
        StructOrEnum::Enum(variants) => {
            let members = variants
                .iter()
                .map(|variant| form_schema(item, &variant.form));
            quote!(::otp_bridge::json::schema::union(
                ::std::vec![#(#members),*]
            ))
        }
    }
}

fn form_schema(item: &Item, form: &TermForm) -> TokenStream {
    let alone = quote!(::otp_bridge::json::Position::Alone);
    let of_type = |ty: &Type, position: &TokenStream| {
        let probe = probe(ty);
        quote!((#probe.schema)(__otp_generator, #position))
    };
    let elements = |fields: &[Field]| -> Vec<TokenStream> {
        fields
            .iter()
            .map(|field| of_type(&field.ty, &alone))
            .collect()
    };
    let schema = quote!(::otp_bridge::json::schema);
    match form {
        TermForm::Atom(tag) => {
            let text = &tag.text;
            quote!(#schema::atom(#text))
        }
        TermForm::Tagged(tag, fields) => {
            let (text, elements) = (&tag.text, elements(fields));
            quote!(#schema::tagged(#text, ::std::vec![#(#elements),*]))
        }
        TermForm::Tuple(fields) => {
            let (first, elements) = (first_shape(fields), elements(fields));
            quote!(#schema::tuple(&#first, ::std::vec![#(#elements),*]))
        }
        TermForm::Transparent(field) => of_type(&field.ty, &inner_position(item)),
        TermForm::Map(map) => {
            let entries = map.entries.iter().map(|entry| {
                let (key, value) = (&entry.key.text, of_type(&entry.ty, &alone));
                let required = !entry.optional;
                quote!((#key, #value, #required))
            });
            let entries = quote!(::std::vec![#(#entries),*]);
            let written = match map.rest.is_some() || map.exact {
                true => quote!(#schema::map(#entries)),
                false => quote!(#schema::map_ignoring_others(#entries)),
            };
            match &map.rest {
                None => written,
                Some(rest) => {
                    let rest = of_type(&rest.ty, &quote!(::otp_bridge::json::Position::Member));
                    quote!({
                        let __otp_known = #written;
                        let __otp_rest = #rest;
                        #schema::map_with_rest(__otp_known, __otp_rest)
                    })
                }
            }
        }
    }
}

/// Returns the representation of a map with keys of this type.
pub(super) fn keys(item: &Item) -> TokenStream {
    let forms = item.forms();
    let keys = match (&item.shape, forms.as_slice()) {
        (StructOrEnum::Struct(_), [(_, TermForm::Transparent(field))]) => {
            let probe = probe(&field.ty);
            quote!((#probe.keys)())
        }
        (_, forms) if forms.iter().all(|(_, form)| may_be_atom(form)) => {
            let others = forms.iter().filter_map(|(_, form)| match form {
                TermForm::Transparent(field) => Some(probe(&field.ty)),
                _ => None,
            });
            quote! {
                let __otp_others: &[::otp_bridge::json::Keys] = &[#((#others.keys)()),*];
                match __otp_others {
                    __otp_all if __otp_all.iter().all(|__otp_one| *__otp_one == ::otp_bridge::json::Keys::Atoms) => {
                        ::otp_bridge::json::Keys::Atoms
                    }
                    _ => ::otp_bridge::json::Keys::Mixed,
                }
            }
        }
        _ => quote!(::otp_bridge::json::Keys::Mixed),
    };
    quote! {
        fn keys() -> ::otp_bridge::json::Keys {
            use ::otp_bridge::json::derived::{ViaNothing as _, ViaRepresentation as _, ViaTerm as _};
            #keys
        }
    }
}

fn may_be_atom(form: &TermForm) -> bool {
    matches!(form, TermForm::Atom(_) | TermForm::Transparent(_))
}
