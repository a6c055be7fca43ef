//! `#[derive(EchonetObject)]` makes an ECHONET object of a struct, and `#[derive(EchonetValue)]`
//! the value of a property of an enum.
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

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Expr, Field, Fields, LitInt, Result, parse_macro_input};

/// An ECHONET object: its class, and its properties' codes and access rules. The type of a field is
/// the value, and so the size and the range.
#[proc_macro_derive(EchonetObject, attributes(echonet))]
pub fn echonet_object(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    object(&input)
        .unwrap_or_else(Error::into_compile_error)
        .into()
}

/// The value of a property that is a code of one byte: an enum whose variants have numbers.
#[proc_macro_derive(EchonetValue)]
pub fn echonet_value(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    value(&input)
        .unwrap_or_else(Error::into_compile_error)
        .into()
}

/// A field that is a property, and one whose properties are the object's.
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
    let Some(attribute) = field.attrs.iter().find(|it| it.path().is_ident("echonet")) else {
        return Ok(None);
    };
    let (mut epc, mut is_common, mut get, mut set, mut inf) = (None, false, false, false, false);
    attribute.parse_nested_meta(|meta| {
        let Some(name) = meta.path.get_ident() else {
            return Err(meta.error("expected `epc = 0x80`, `get`, `set`, `inf` or `common`"));
        };
        match name.to_string().as_str() {
            "epc" => epc = Some(meta.value()?.parse::<LitInt>()?),
            "common" => is_common = true,
            "get" => get = true,
            "set" => set = true,
            "inf" => inf = true,
            _ => return Err(meta.error("expected `epc = 0x80`, `get`, `set`, `inf` or `common`")),
        }
        Ok(())
    })?;
    match epc {
        Some(epc) if epc.base10_parse::<u8>()? < 0x80 => {
            Err(Error::new(epc.span(), "codes of properties begin at 0x80"))
        }
        Some(epc) => Ok(Some(Member::Property { epc, get, set, inf })),
        None if is_common => Ok(Some(Member::Common)),
        None => Err(Error::new_spanned(
            attribute,
            "the code of the property is missing: `epc = 0x80`",
        )),
    }
}

fn object(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(
            &input.ident,
            "an ECHONET object is a struct",
        ));
    };
    let class = class(input)?;
    let Parts {
        properties,
        getters,
        setters,
    } = parts(&data.fields)?;
    let ident = &input.ident;
    Ok(quote! {
        const _: () = {
            use crate::device::{Edt, EchonetObject, Property};

            impl EchonetObject for #ident {
                fn class(&self) -> u16 { #class }

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
        };
    })
}

/// The statements of the three methods, for each field.
#[derive(Default)]
struct Parts {
    properties: Vec<TokenStream>,
    getters: Vec<TokenStream>,
    setters: Vec<TokenStream>,
}

fn parts(fields: &Fields) -> Result<Parts> {
    let mut parts = Parts::default();
    let Parts {
        properties,
        getters,
        setters,
    } = &mut parts;
    for field in fields {
        let name = &field.ident;
        match member(field)? {
            None => {}
            Some(Member::Common) => {
                properties.push(quote! { all.extend(EchonetObject::properties(&self.#name)); });
                getters
                    .push(quote! { if EchonetObject::get(&self.#name, epc, edt) { return true; } });
                setters.push(
                    quote! { if EchonetObject::set(&mut self.#name, epc, edt) { return true; } },
                );
            }
            Some(Member::Property { epc, get, set, inf }) => {
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

/// `class = 0x0290`; 0 if there is none, as of properties that several classes share.
fn class(input: &DeriveInput) -> Result<Expr> {
    let mut class = syn::parse_quote!(0);
    for attribute in input
        .attrs
        .iter()
        .filter(|it| it.path().is_ident("echonet"))
    {
        attribute.parse_nested_meta(|meta| match meta.path.is_ident("class") {
            true => {
                class = meta.value()?.parse()?;
                Ok(())
            }
            false => Err(meta.error("expected `class = 0x0290`")),
        })?;
    }
    Ok(class)
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
        impl crate::device::Edt for #ident {
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
