//! The JSON representation, wrapped in a macro of the bridge that removes it without the feature
//! `json`.
//!
//! Each shape gets the representations of its fields' types through `derived::Probe`, so that a
//! type without one has that of the dynamic term.

mod read;
mod schema;
mod write;

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::model::{Field, Item, StructOrEnum};
use read::from_json;
use schema::{keys, schema, schema_in_position};
use write::to_json;

pub(super) fn implementations(item: &Item) -> TokenStream {
    let representation = representation(item);
    let standard = standard(item);
    quote! {
        ::otp_bridge::__json! {
            #representation
            #standard
        }
    }
}

fn json_representation() -> TokenStream {
    quote!(::otp_bridge::json::JsonRepresentation)
}

fn value() -> TokenStream {
    quote!(::otp_bridge::json::dependencies::serde_json::Value)
}

/// Returns `impl JsonRepresentation`.
fn representation(item: &Item) -> TokenStream {
    let header = item.header(&json_representation(), &[json_representation()]);
    let (to_json, from_json) = (to_json(item), from_json(item));
    let (schema, keys) = (schema_in_position(item), keys(item));
    let value = value();
    quote! {
        #[allow(unused_variables, unused_imports)]
        #header {
            fn to_json(&self, __otp_position: ::otp_bridge::json::Position) -> #value {
                use ::otp_bridge::json::derived::{ViaNothing as _, ViaRepresentation as _, ViaTerm as _};
                #to_json
            }

            fn from_json(
                __otp_json: &#value,
                __otp_position: ::otp_bridge::json::Position,
            ) -> ::std::result::Result<Self, ::otp_bridge::term::DecodeError> {
                use ::otp_bridge::json::derived::{ViaNothing as _, ViaRepresentation as _, ViaTerm as _};
                #from_json
            }

            fn schema(
                __otp_generator: &mut ::otp_bridge::json::dependencies::schemars::SchemaGenerator,
                __otp_position: ::otp_bridge::json::Position,
            ) -> ::otp_bridge::json::dependencies::schemars::Schema {
                use ::otp_bridge::json::derived::{ViaNothing as _, ViaRepresentation as _, ViaTerm as _};
                #schema
            }

            #keys
        }
    }
}

/// Returns serde's traits and `schemars::JsonSchema`, which call `JsonRepresentation`.
fn standard(item: &Item) -> TokenStream {
    let bounds = [json_representation()];
    let serialize = quote!(::otp_bridge::json::dependencies::serde::Serialize);
    let serialize = item.header(&serialize, &bounds);
    let deserialize = deserialize_header(item);
    let json_schema = quote!(::otp_bridge::json::dependencies::schemars::JsonSchema);
    let json_schema = item.header(&json_schema, &bounds);
    let body = schema(item);
    quote! {
        #serialize {
            fn serialize<__OtpS: ::otp_bridge::json::dependencies::serde::Serializer>(
                &self,
                __otp_serializer: __OtpS,
            ) -> ::std::result::Result<__OtpS::Ok, __OtpS::Error> {
                ::otp_bridge::json::serialize(self, __otp_serializer)
            }
        }

        #deserialize {
            fn deserialize<__OtpD: ::otp_bridge::json::dependencies::serde::Deserializer<'__otp_de>>(
                __otp_deserializer: __OtpD,
            ) -> ::std::result::Result<Self, __OtpD::Error> {
                ::otp_bridge::json::deserialize(__otp_deserializer)
            }
        }

        #[allow(unused_variables, unused_imports)]
        #json_schema {
            fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
                ::otp_bridge::json::derived::schema_name::<Self>()
            }

            fn schema_id() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
                ::std::borrow::Cow::Borrowed(::std::any::type_name::<Self>())
            }

            fn json_schema(
                __otp_generator: &mut ::otp_bridge::json::dependencies::schemars::SchemaGenerator,
            ) -> ::otp_bridge::json::dependencies::schemars::Schema {
                use ::otp_bridge::json::derived::{ViaNothing as _, ViaRepresentation as _, ViaTerm as _};
                let __otp_position = ::otp_bridge::json::Position::Alone;
                #body
            }
        }
    }
}

/// Like [`Item::header`], with the lifetime of serde's trait.
fn deserialize_header(item: &Item) -> TokenStream {
    let name = &item.name;
    let mut generics = item.generics.clone();
    let representation = json_representation();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(syn::parse_quote!(#representation));
    }
    generics.params.insert(0, syn::parse_quote!('__otp_de));
    let (parameters, _, where_clause) = generics.split_for_impl();
    let (_, arguments, _) = item.generics.split_for_impl();
    quote! {
        impl #parameters ::otp_bridge::json::dependencies::serde::Deserialize<'__otp_de>
            for #name #arguments #where_clause
    }
}

/// Returns the representation of a field's type.
fn probe(ty: &Type) -> TokenStream {
    quote!((&&::otp_bridge::json::derived::JsonProbe::<#ty>::new()).representation())
}

/// Returns the shape of a tuple's first element.
fn first_shape(fields: &[Field]) -> TokenStream {
    match fields.first() {
        Some(field) => {
            let probe = probe(&field.ty);
            quote!(#probe.shape)
        }
        None => quote!(::otp_bridge::term::Shape::NONE),
    }
}

/// Returns the position of the only field of a form without a tag.
fn inner_position(item: &Item) -> TokenStream {
    match item.shape {
        StructOrEnum::Struct(_) => quote!(__otp_position),
        StructOrEnum::Enum(_) => quote!(::otp_bridge::json::Position::Member),
    }
}
