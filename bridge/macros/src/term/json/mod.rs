//! The JSON view, in a macro of the bridge that drops it without the feature `json`
//!
//! Each form asks its fields' types for their views through `derived::Probe`, so that a type
//! without one has that of the dynamic term.

mod read;
mod schema;
mod write;

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::model::{Item, Shape};
use read::from_json;
use schema::{keys, schema, schema_in_place};
use write::to_json;

pub(super) fn implementations(item: &Item) -> TokenStream {
    let view = view(item);
    let standard = standard(item);
    quote! {
        ::otp_bridge::__json! {
            #view
            #standard
        }
    }
}

fn json_form() -> TokenStream {
    quote!(::otp_bridge::json::JsonForm)
}

fn value() -> TokenStream {
    quote!(::otp_bridge::json::dependencies::serde_json::Value)
}

/// `impl JsonForm`
fn view(item: &Item) -> TokenStream {
    let header = item.header(&json_form(), &[json_form()]);
    let (to_json, from_json) = (to_json(item), from_json(item));
    let (schema, keys) = (schema_in_place(item), keys(item));
    let value = value();
    quote! {
        #[allow(unused_variables, unused_imports)]
        #header {
            fn to_json(&self, place: ::otp_bridge::json::Place) -> #value {
                use ::otp_bridge::json::derived::{ViaForm as _, ViaTerm as _};
                #to_json
            }

            fn from_json(
                json: &#value,
                place: ::otp_bridge::json::Place,
            ) -> ::std::result::Result<Self, ::otp_bridge::term::DecodeError> {
                use ::otp_bridge::json::derived::{ViaForm as _, ViaTerm as _};
                #from_json
            }

            fn schema(
                generator: &mut ::otp_bridge::json::dependencies::schemars::SchemaGenerator,
                place: ::otp_bridge::json::Place,
            ) -> ::otp_bridge::json::dependencies::schemars::Schema {
                use ::otp_bridge::json::derived::{ViaForm as _, ViaTerm as _};
                #schema
            }

            #keys
        }
    }
}

/// serde's traits and `schemars::JsonSchema`, whose work `JsonForm` does.
fn standard(item: &Item) -> TokenStream {
    let bounds = [json_form()];
    let serialize = quote!(::otp_bridge::json::dependencies::serde::Serialize);
    let serialize = item.header(&serialize, &bounds);
    let deserialize = deserialize_header(item);
    let json_schema = quote!(::otp_bridge::json::dependencies::schemars::JsonSchema);
    let json_schema = item.header(&json_schema, &bounds);
    let body = schema(item);
    quote! {
        #serialize {
            fn serialize<__S: ::otp_bridge::json::dependencies::serde::Serializer>(
                &self,
                serializer: __S,
            ) -> ::std::result::Result<__S::Ok, __S::Error> {
                ::otp_bridge::json::serialize(self, serializer)
            }
        }

        #deserialize {
            fn deserialize<__D: ::otp_bridge::json::dependencies::serde::Deserializer<'__de>>(
                deserializer: __D,
            ) -> ::std::result::Result<Self, __D::Error> {
                ::otp_bridge::json::deserialize(deserializer)
            }
        }

        #[allow(unused_variables, unused_imports)]
        #json_schema {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                ::otp_bridge::json::derived::schema_name::<Self>()
            }

            fn schema_id() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed(::std::any::type_name::<Self>())
            }

            fn json_schema(
                generator: &mut ::otp_bridge::json::dependencies::schemars::SchemaGenerator,
            ) -> ::otp_bridge::json::dependencies::schemars::Schema {
                use ::otp_bridge::json::derived::{ViaForm as _, ViaTerm as _};
                let place = ::otp_bridge::json::Place::Alone;
                #body
            }
        }
    }
}

/// As [`Item::header`], with the lifetime of serde's trait.
fn deserialize_header(item: &Item) -> TokenStream {
    let name = &item.name;
    let mut generics = item.generics.clone();
    let form = json_form();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(syn::parse_quote!(#form));
    }
    generics.params.insert(0, syn::parse_quote!('__de));
    let (parameters, _, where_clause) = generics.split_for_impl();
    let (_, arguments, _) = item.generics.split_for_impl();
    quote! {
        impl #parameters ::otp_bridge::json::dependencies::serde::Deserialize<'__de>
            for #name #arguments #where_clause
    }
}

/// The view of a field's type.
fn probe(ty: &Type) -> TokenStream {
    quote!((&::otp_bridge::json::derived::Probe::<#ty>::new()).form())
}

/// Where the only field of a form without a tag stands.
fn inner_place(item: &Item) -> TokenStream {
    match item.shape {
        Shape::Struct(_) => quote!(place),
        Shape::Enum(_) => quote!(::otp_bridge::json::Place::Member),
    }
}
