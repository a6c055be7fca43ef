//! Derive macros for ECHONET Lite: `#[derive(EchonetObject)]` turns a struct into an ECHONET
//! object, and `#[derive(EchonetValue)]` turns an enum into the value of a property.
//!
//! ```text
//! #[derive(EchonetObject)]
//! #[echonet(class = 0x0290)]
//! struct Light {
//!     #[echonet(common)]                          // an object whose properties are this one's, too
//!     common: Common,
//!     #[echonet(epc = 0xB0, get, set, inf)]       // inf: it is announced when it has changed
//!     level: Ranged<u8, 0, 100>,
//! }
//! ```
//!
//! Mistakes that can never work are compile errors: a repeated code, one of the property maps (0x9D
//! to 0x9F, which are computed from the other properties), a property that can be neither read nor
//! set nor announced, a value of more than 255 bytes, a range that is empty or wider than its
//! integer, an object without a class.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Expr, Field, Fields, LitInt, Result, parse_macro_input};

/// Implements an ECHONET object: its class, and the codes and access rules of its properties. The
/// type of a field defines the property's value, with its size and its range.
#[proc_macro_derive(EchonetObject, attributes(echonet))]
pub fn echonet_object(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    object(&input)
        .unwrap_or_else(Error::into_compile_error)
        .into()
}

/// Implements a property value that is a code of one byte: an enum whose variants have numbers.
#[proc_macro_derive(EchonetValue)]
pub fn echonet_value(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    value(&input)
        .unwrap_or_else(Error::into_compile_error)
        .into()
}

/// A field: either a property, or a struct with further properties of the object.
enum Member {
    Property {
        epc: LitInt,
        get: bool,
        set: bool,
        inf: bool,
    },
    Common,
}

fn member(field: &Field) -> Result<Option<Member>> {
    let expected = "expected `epc = 0x80`, `get`, `set`, `inf` or `common`";
    let Some(attribute) = field.attrs.iter().find(|it| it.path().is_ident("echonet")) else {
        return Ok(None);
    };
    let (mut epc, mut is_common, mut get, mut set, mut inf) = (None, false, false, false, false);
    attribute.parse_nested_meta(|meta| {
        let Some(name) = meta.path.get_ident() else {
            return Err(meta.error(expected));
        };
        match name.to_string().as_str() {
            "epc" => epc = Some(meta.value()?.parse::<LitInt>()?),
            "common" => is_common = true,
            "get" => get = true,
            "set" => set = true,
            "inf" => inf = true,
            _ => return Err(meta.error(expected)),
        }
        Ok(())
    })?;
    let wrong = |why| Err(Error::new_spanned(attribute, why));
    match epc {
        Some(_) if is_common => wrong("a property is not an object: `epc` or `common`"),
        Some(epc) => {
            check_code(&epc)?;
            match get || set || inf {
                true => Ok(Some(Member::Property { epc, get, set, inf })),
                false => wrong("nobody can use this property: say `get`, `set` or `inf`"),
            }
        }
        None if is_common => Ok(Some(Member::Common)),
        None => wrong("the code of the property is missing: `epc = 0x80`"),
    }
}

fn check_code(epc: &LitInt) -> Result<()> {
    match epc.base10_parse::<u8>()? {
        ..0x80 => Err(Error::new(epc.span(), "codes of properties begin at 0x80")),
        0x9D..=0x9F => Err(Error::new(
            epc.span(),
            "0x9D, 0x9E and 0x9F are the maps of the properties, which are made of `inf`, `set` and `get`",
        )),
        _ => Ok(()),
    }
}

fn object(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(
            &input.ident,
            "an ECHONET object is a struct",
        ));
    };
    if !matches!(data.fields, Fields::Named(_)) {
        let why = "an ECHONET object is a struct whose fields have names";
        return Err(Error::new_spanned(&input.ident, why));
    }
    let class = class(input)?;
    let parts = parts(&data.fields)?;
    let ident = &input.ident;
    let methods = methods(&parts);
    let checks = checks(&parts);
    let codes = &parts.codes;
    let of_class = class.map(|class| {
        quote! {
            impl EchonetObject for #ident {
                fn class(&self) -> u16 { #class }
            }
        }
    });
    Ok(quote! {
        const _: () = {
            use ::echonet_lite::device::{Edt, EchonetObject, EchonetProperties, Codes, Property};
            use ::echonet_lite::device::are_disjoint;

            #checks

            impl Codes for #ident {
                const OWN: &'static [u8] = &[#(#codes),*];
            }

            impl EchonetProperties for #ident { #methods }

            #of_class
        };
    })
}

/// Generates checks of the fields' types.
fn checks(parts: &Parts) -> TokenStream {
    let Parts {
        codes,
        types,
        commons,
        ..
    } = parts;
    let long = types.iter().map(|field| {
        quote! {
            const _: () = ::core::assert!(
                <#field as Edt>::LONGEST <= 255, "the value of a property has at most 255 bytes"
            );
        }
    });
    let own = quote! { &[#(#codes),*] };
    let of_commons = commons.iter().map(|it| quote! { <#it as Codes>::OWN });
    let all: Vec<TokenStream> = [own].into_iter().chain(of_commons).collect();
    let pairs = (0..all.len()).flat_map(|at| (0..at).map(move |before| (before, at)));
    let twice = pairs.map(|(one, other)| {
        let (one, other) = (&all[one], &all[other]);
        quote! {
            const _: () = ::core::assert!(
                are_disjoint(#one, #other),
                "a property is in the object and in what it has in common with others"
            );
        }
    });
    quote! { #(#long)* #(#twice)* }
}

fn methods(parts: &Parts) -> TokenStream {
    let Parts {
        properties,
        getters,
        setters,
        ..
    } = parts;
    quote! {
        fn properties(&self) -> ::std::vec::Vec<Property> {
            let mut all = ::std::vec::Vec::new();
            #(#properties)*
            all
        }

        fn get(&self, epc: u8, edt: &mut ::std::vec::Vec<u8>) -> bool {
            #(#getters)*
            false
        }

        fn set(&mut self, epc: u8, edt: &[u8]) -> bool {
            #(#setters)*
            false
        }
    }
}

/// The statements of the three methods for each field, and the types to check.
#[derive(Default)]
struct Parts {
    codes: Vec<LitInt>,
    types: Vec<syn::Type>,
    commons: Vec<syn::Type>,
    properties: Vec<TokenStream>,
    getters: Vec<TokenStream>,
    setters: Vec<TokenStream>,
}

fn parts(fields: &Fields) -> Result<Parts> {
    let mut parts = Parts::default();
    let Parts {
        codes,
        types,
        commons,
        properties,
        getters,
        setters,
    } = &mut parts;
    for field in fields {
        let name = &field.ident;
        match member(field)? {
            None => {}
            Some(Member::Common) => {
                commons.push(field.ty.clone());
                properties.push(quote! { all.extend(EchonetProperties::properties(&self.#name)); });
                getters.push(
                    quote! { if EchonetProperties::get(&self.#name, epc, edt) { return true; } },
                );
                setters.push(quote! {
                    if EchonetProperties::set(&mut self.#name, epc, edt) { return true; }
                });
            }
            Some(Member::Property { epc, get, set, inf }) => {
                let code = epc.base10_parse::<u8>()?;
                if codes
                    .iter()
                    .any(|it| it.base10_parse::<u8>().ok() == Some(code))
                {
                    return Err(Error::new(epc.span(), "another field has this code"));
                }
                codes.push(epc.clone());
                types.push(field.ty.clone());
                properties.push(
                    quote! { all.push(Property { epc: #epc, get: #get, set: #set, inf: #inf }); },
                );
                getters
                    .push(quote! { if epc == #epc { Edt::write(&self.#name, edt); return true; } });
                setters.push(quote! {
                    if epc == #epc {
                        return match Edt::read(edt) {
                            Some(value) => { self.#name = value; true }
                            None => false,
                        };
                    }
                });
            }
        }
    }
    Ok(parts)
}

/// Parses `class = 0x0290`, or `part`: properties that several classes share, and that are not an
/// object by themselves.
fn class(input: &DeriveInput) -> Result<Option<Expr>> {
    let (mut class, mut is_part) = (None, false);
    let attributes = input.attrs.iter();
    for attribute in attributes.filter(|it| it.path().is_ident("echonet")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("part") {
                is_part = true;
            } else if meta.path.is_ident("class") {
                class = Some(meta.value()?.parse()?);
            } else {
                return Err(meta.error("expected `class = 0x0290` or `part`"));
            }
            Ok(())
        })?;
    }
    match (&class, is_part) {
        (Some(_), false) | (None, true) => Ok(class),
        _ => Err(Error::new_spanned(
            &input.ident,
            "an object has a class, `#[echonet(class = 0x0290)]`, and what objects have in common has none, `#[echonet(part)]`",
        )),
    }
}

fn value(input: &DeriveInput) -> Result<TokenStream> {
    let expected = "expected an enum whose variants have no fields and a code each: `Auto = 0x41`";
    let Data::Enum(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, expected));
    };
    let (mut names, mut codes) = (Vec::new(), Vec::new());
    for variant in &data.variants {
        match (&variant.fields, &variant.discriminant) {
            (Fields::Unit, Some((_, code))) => {
                names.push(&variant.ident);
                codes.push(code);
            }
            _ => return Err(Error::new_spanned(variant, expected)),
        }
    }
    let ident = &input.ident;
    Ok(quote! {
        impl ::echonet_lite::device::Edt for #ident {
            const LONGEST: usize = 1;

            fn write(&self, edt: &mut ::std::vec::Vec<u8>) {
                edt.push(match self { #(#ident::#names => #codes,)* });
            }

            fn read(edt: &[u8]) -> ::std::option::Option<Self> {
                #(if *edt == [#codes] { return ::std::option::Option::Some(#ident::#names); })*
                ::std::option::Option::None
            }
        }
    })
}

#[cfg(test)]
mod tests;
