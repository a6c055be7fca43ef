//! `JsonRepresentation::to_json`.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::model::{Field, Item, Map, TermForm, field};
use super::{first_shape, inner_position, probe, value};

pub(super) fn to_json(item: &Item) -> TokenStream {
    let forms = item.forms();
    if forms.is_empty() {
        return quote!(match *self {});
    }
    let arms = forms.iter().map(|(path, form)| {
        let pattern = form.braced(path);
        let build = build(item, form);
        quote!(#pattern => #build,)
    });
    quote!(match self { #(#arms)* })
}

/// Returns an expression that builds the JSON of a form whose fields are bound.
fn build(item: &Item, form: &TermForm) -> TokenStream {
    let alone = quote!(::otp_bridge::json::Position::Alone);
    let written = |field: &Field, number: usize, position: &TokenStream| {
        let (probe, name) = (probe(&field.ty), self::field(number));
        quote!((#probe.to_json)(#name, #position))
    };
    let elements = |fields: &[Field]| -> Vec<TokenStream> {
        let numbered = fields.iter().enumerate();
        numbered
            .map(|(number, field)| written(field, number, &alone))
            .collect()
    };
    match form {
        TermForm::Atom(tag) => {
            let text = &tag.text;
            quote!(::otp_bridge::json::derived::atom(#text))
        }
        TermForm::Tagged(tag, fields) => {
            let (text, elements) = (&tag.text, elements(fields));
            quote!(::otp_bridge::json::derived::tagged(#text, ::std::vec![#(#elements),*]))
        }
        TermForm::Tuple(fields) => {
            let (first, elements) = (first_shape(fields), elements(fields));
            quote!(::otp_bridge::json::derived::tuple(
                &#first,
                ::std::vec![#(#elements),*]
            ))
        }
        TermForm::Transparent(field) => written(field, 0, &inner_position(item)),
        TermForm::Map(map) => object(map),
    }
}

fn object(map: &Map) -> TokenStream {
    let puts = map.entries.iter().enumerate().map(|(number, entry)| {
        let (probe, name, key) = (probe(&entry.ty), field(number), &entry.key.text);
        let put = quote! {
            ::otp_bridge::json::derived::put(
                &mut __otp_object,
                #key,
                (#probe.to_json)(#name, ::otp_bridge::json::Position::Alone),
            );
        };
        if entry.optional {
            quote!(if let ::std::option::Option::Some(#name) = #name { #put })
        } else {
            put
        }
    });
    let value = value();
    let whole = match &map.rest {
        None => quote!(#value::Object(__otp_object)),
        Some(rest) => {
            let (probe, name) = (probe(&rest.ty), field(map.entries.len()));
            quote! {
                ::otp_bridge::json::derived::object_with_rest(
                    __otp_object,
                    (#probe.to_json)(#name, ::otp_bridge::json::Position::Member),
                )
            }
        }
    };
    quote! {{
        #[allow(unused_mut)]
        let mut __otp_object = ::otp_bridge::json::dependencies::serde_json::Map::new();
        #(#puts)*
        #whole
    }}
}
