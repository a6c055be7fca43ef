//! The JSON view, in a macro of the bridge that drops it without the feature `json`
//!
//! Each form asks its fields' types for their views through `derived::Probe`, so that a type
//! without one has that of the dynamic term.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::form::field;
use super::model::{Entry, Field, Form, Item, Map, Shape};

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

fn to_json(item: &Item) -> TokenStream {
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

/// An expression that builds the JSON of a form whose fields are bound.
fn build(item: &Item, form: &Form) -> TokenStream {
    let alone = quote!(::otp_bridge::json::Place::Alone);
    let written = |field: &Field, number: usize, place: &TokenStream| {
        let (probe, name) = (probe(&field.ty), self::field(number));
        quote!((#probe.to_json)(#name, #place))
    };
    let elements = |fields: &[Field]| -> Vec<TokenStream> {
        let numbered = fields.iter().enumerate();
        numbered
            .map(|(number, field)| written(field, number, &alone))
            .collect()
    };
    match form {
        Form::Atom(tag) => {
            let text = &tag.text;
            quote!(::otp_bridge::json::derived::atom(#text))
        }
        Form::Tagged(tag, fields) => {
            let (text, elements) = (&tag.text, elements(fields));
            quote!(::otp_bridge::json::derived::tagged(#text, ::std::vec![#(#elements),*]))
        }
        Form::Tuple(fields) => {
            let elements = elements(fields);
            quote!(::otp_bridge::json::derived::tuple(
                ::std::vec![#(#elements),*]
            ))
        }
        Form::Transparent(field) => written(field, 0, &inner_place(item)),
        Form::Map(map) => object(map),
    }
}

fn object(map: &Map) -> TokenStream {
    let puts = map.entries.iter().enumerate().map(|(number, entry)| {
        let (probe, name, key) = (probe(&entry.ty), field(number), &entry.key.text);
        let put = quote! {
            ::otp_bridge::json::derived::put(
                &mut object,
                #key,
                (#probe.to_json)(#name, ::otp_bridge::json::Place::Alone),
            );
        };
        match entry.optional {
            true => quote!(if let ::std::option::Option::Some(#name) = #name { #put }),
            false => put,
        }
    });
    let value = value();
    let whole = match &map.rest {
        None => quote!(#value::Object(object)),
        Some(rest) => {
            let (probe, name) = (probe(&rest.ty), field(map.entries.len()));
            quote! {
                ::otp_bridge::json::derived::object_with_rest(
                    object,
                    (#probe.to_json)(#name, ::otp_bridge::json::Place::Member),
                )
            }
        }
    };
    quote! {{
        #[allow(unused_mut)]
        let mut object = ::otp_bridge::json::dependencies::serde_json::Map::new();
        #(#puts)*
        #whole
    }}
}

/// Forms with a tag first, then the others in the order of the source, as from terms.
fn from_json(item: &Item) -> TokenStream {
    let forms = item.forms();
    if let [(path, form)] = forms.as_slice() {
        let construct = construct(item, path, form);
        if let Form::Transparent(_) = form {
            return quote!(::std::result::Result::Ok(#construct));
        }
        let read = within_shape(form, quote!(return ::std::result::Result::Ok(#construct);));
        return quote! {
            #read
            ::std::result::Result::Err(::otp_bridge::json::derived::expected::<Self>(json))
        };
    }
    let is_tagged = |form: &Form| matches!(form, Form::Atom(_) | Form::Tagged(..));
    let (tagged, untagged): (Vec<_>, Vec<_>) = forms.iter().partition(|(_, form)| is_tagged(form));
    let tries = tagged.iter().chain(&untagged).map(|(path, form)| {
        let construct = construct(item, path, form);
        let read = quote! {
            let read = ||
                ::std::result::Result::<Self, ::otp_bridge::term::DecodeError>::Ok(#construct);
            if let ::std::option::Option::Some(value) = attempts.add(read()) {
                return ::std::result::Result::Ok(value);
            }
        };
        within_shape(form, read)
    });
    quote! {
        #[allow(unused_mut)]
        let mut attempts =
            <::otp_bridge::json::derived::Attempts as ::std::default::Default>::default();
        #(#tries)*
        ::std::result::Result::Err(attempts.error::<Self>(json))
    }
}

/// Runs `body` where the JSON has the outer shape of the form, whose parts are then bound.
fn within_shape(form: &Form, body: TokenStream) -> TokenStream {
    let derived = quote!(::otp_bridge::json::derived);
    let some = quote!(::std::option::Option::Some);
    match form {
        Form::Atom(tag) => {
            let text = &tag.text;
            quote!(if #derived::is_atom(json, #text) { #body })
        }
        Form::Tagged(tag, fields) => {
            let (text, count) = (&tag.text, fields.len());
            quote! {
                if let #some(elements) = #derived::tagged_elements(json, #text, #count) { #body }
            }
        }
        Form::Tuple(fields) => {
            let count = fields.len();
            quote!(if let #some(elements) = #derived::tuple_elements(json, #count) { #body })
        }
        Form::Transparent(_) => quote!({ #body }),
        Form::Map(map) => {
            let (known, other) = (
                map.entries.iter().map(|entry| &entry.key.text),
                other_keys(map),
            );
            quote! {
                if let #some((object, rest)) = #derived::object(json, &[#(#known),*], #other) {
                    #body
                }
            }
        }
    }
}

/// An expression for the value, with `?` where a part may not be of its type.
fn construct(item: &Item, path: &TokenStream, form: &Form) -> TokenStream {
    let members = form.members();
    let element = |field: &Field, number: usize, position: usize| {
        let probe = probe(&field.ty);
        quote! {
            ::otp_bridge::json::derived::read_element(&#probe, &elements[#number], #position)?
        }
    };
    let elements = |fields: &[Field], tag: usize| -> Vec<TokenStream> {
        let numbered = fields.iter().enumerate();
        numbered
            .map(|(number, field)| element(field, number, number + tag))
            .collect()
    };
    let values = match form {
        Form::Atom(_) => Vec::new(),
        Form::Tagged(_, fields) => elements(fields, 1),
        Form::Tuple(fields) => elements(fields, 0),
        Form::Transparent(field) => {
            let (probe, place) = (probe(&field.ty), inner_place(item));
            vec![quote!((#probe.from_json)(json, #place)?)]
        }
        Form::Map(map) => {
            let rest = map.rest.iter().map(|rest| {
                let probe = probe(&rest.ty);
                quote!((#probe.from_json)(&rest, ::otp_bridge::json::Place::Member)?)
            });
            map.entries.iter().map(read_entry).chain(rest).collect()
        }
    };
    let refusal = match form {
        Form::Map(map) if map.exact => {
            quote!(::otp_bridge::json::derived::refuse_other_keys(&rest)?;)
        }
        _ => TokenStream::new(),
    };
    quote!({ #refusal #path { #(#members: #values),* } })
}

/// Whether the keys besides the known ones are looked at.
fn other_keys(map: &Map) -> bool {
    map.rest.is_some() || map.exact
}

fn read_entry(entry: &Entry) -> TokenStream {
    let (probe, key) = (probe(&entry.ty), &entry.key.text);
    let read = match entry.optional {
        true => quote!(read_optional_key),
        false => quote!(read_key),
    };
    quote!(::otp_bridge::json::derived::#read(&#probe, &object, #key)?)
}

/// A reference to the type's schema; of a type without a shape of its own, the field's schema in
/// this place.
fn schema_in_place(item: &Item) -> TokenStream {
    let reference = quote!(generator.subschema_for::<Self>());
    match &item.shape {
        Shape::Struct(form) => match &**form {
            Form::Transparent(_) => {
                let inner = form_schema(item, form);
                quote! {
                    match place {
                        ::otp_bridge::json::Place::Alone => #reference,
                        ::otp_bridge::json::Place::Member => #inner,
                    }
                }
            }
            _ => reference,
        },
        Shape::Enum(_) => reference,
    }
}

fn schema(item: &Item) -> TokenStream {
    match &item.shape {
        Shape::Struct(form) => form_schema(item, form),
        Shape::Enum(variants) => {
            let members = variants
                .iter()
                .map(|variant| form_schema(item, &variant.form));
            quote!(::otp_bridge::json::schema::union(
                ::std::vec![#(#members),*]
            ))
        }
    }
}

fn form_schema(item: &Item, form: &Form) -> TokenStream {
    let alone = quote!(::otp_bridge::json::Place::Alone);
    let of_type = |ty: &Type, place: &TokenStream| {
        let probe = probe(ty);
        quote!((#probe.schema)(generator, #place))
    };
    let elements = |fields: &[Field]| -> Vec<TokenStream> {
        fields
            .iter()
            .map(|field| of_type(&field.ty, &alone))
            .collect()
    };
    let schema = quote!(::otp_bridge::json::schema);
    match form {
        Form::Atom(tag) => {
            let text = &tag.text;
            quote!(#schema::atom(#text))
        }
        Form::Tagged(tag, fields) => {
            let (text, elements) = (&tag.text, elements(fields));
            quote!(#schema::tagged(#text, ::std::vec![#(#elements),*]))
        }
        Form::Tuple(fields) => {
            let elements = elements(fields);
            quote!(#schema::tuple(::std::vec![#(#elements),*]))
        }
        Form::Transparent(field) => of_type(&field.ty, &inner_place(item)),
        Form::Map(map) => {
            let entries = map.entries.iter().map(|entry| {
                let (key, value) = (&entry.key.text, of_type(&entry.ty, &alone));
                let required = !entry.optional;
                quote!((#key, #value, #required))
            });
            let written = quote!(#schema::map(::std::vec![#(#entries),*]));
            match &map.rest {
                None => written,
                Some(rest) => {
                    let rest = of_type(&rest.ty, &quote!(::otp_bridge::json::Place::Member));
                    quote!({
                        let known = #written;
                        let rest = #rest;
                        #schema::map_with_rest(generator, known, rest)
                    })
                }
            }
        }
    }
}

/// What a map is like that has this type for its keys.
fn keys(item: &Item) -> TokenStream {
    let forms = item.forms();
    let keys = match (&item.shape, forms.as_slice()) {
        (Shape::Struct(_), [(_, Form::Transparent(field))]) => {
            let probe = probe(&field.ty);
            quote!((#probe.keys)())
        }
        (_, forms) if forms.iter().all(|(_, form)| may_be_atom(form)) => {
            let others = forms.iter().filter_map(|(_, form)| match form {
                Form::Transparent(field) => Some(probe(&field.ty)),
                _ => None,
            });
            quote! {
                let others: &[::otp_bridge::json::Keys] = &[#((#others.keys)()),*];
                match others {
                    all if all.iter().all(|one| *one == ::otp_bridge::json::Keys::Atoms) => {
                        ::otp_bridge::json::Keys::Atoms
                    }
                    _ => ::otp_bridge::json::Keys::Mixed,
                }
            }
        }
        _ => quote!(::otp_bridge::json::Keys::Mixed),
    };
    let only_atom = match (&item.shape, forms.as_slice()) {
        (Shape::Struct(_), [(_, Form::Atom(tag))]) => {
            let text = &tag.text;
            quote! {
                fn only_atom() -> ::std::option::Option<&'static str> {
                    ::std::option::Option::Some(#text)
                }
            }
        }
        _ => TokenStream::new(),
    };
    quote! {
        fn keys() -> ::otp_bridge::json::Keys {
            use ::otp_bridge::json::derived::{ViaForm as _, ViaTerm as _};
            #keys
        }

        #only_atom
    }
}

fn may_be_atom(form: &Form) -> bool {
    matches!(form, Form::Atom(_) | Form::Transparent(_))
}
