//! Tests of the mistakes that the derive macros refuse.

use syn::parse_quote;

use super::*;

fn why(input: &DeriveInput) -> String {
    object(input).map_or_else(|error| error.to_string(), |_| "it is accepted".to_owned())
}

fn with(field: TokenStream) -> DeriveInput {
    parse_quote! {
        #[echonet(class = 0x0290)]
        struct Light {
            #[echonet(common)]
            common: Common,
            #[echonet(epc = 0xB0, get)]
            level: u8,
            #field
        }
    }
}

#[test]
fn what_can_never_work_is_refused() {
    let right = with(quote! { #[echonet(epc = 0xB1, inf)] colour: u8, free: u8 });
    assert_eq!(why(&right), "it is accepted");
    for (field, expected) in [
        (
            quote! { #[echonet(epc = 0xB0, set)] twice: u8 },
            "another field has this code",
        ),
        (
            quote! { #[echonet(epc = 176, set)] twice: u8 },
            "another field has this code",
        ),
        (
            quote! { #[echonet(epc = 0x9E, get)] map: u8 },
            "are the maps",
        ),
        (
            quote! { #[echonet(epc = 0x7F, get)] low: u8 },
            "begin at 0x80",
        ),
        (
            quote! { #[echonet(epc = 0x180, get)] high: u8 },
            "number too large",
        ),
        (
            quote! { #[echonet(epc = 0xB1)] nobody: u8 },
            "nobody can use this property",
        ),
        (
            quote! { #[echonet(get)] none: u8 },
            "the code of the property is missing",
        ),
        (
            quote! { #[echonet(epc = 0xB1, common)] both: u8 },
            "a property is not an object",
        ),
    ] {
        let why = why(&with(field));
        assert!(why.contains(expected), "{why}");
    }
}

#[test]
fn an_object_is_a_struct_with_names_and_a_class() {
    let classes: [(DeriveInput, &str); 4] = [
        (
            parse_quote! { struct Light { #[echonet(epc = 0xB0, get)] level: u8 } },
            "has a class",
        ),
        (
            parse_quote! { #[echonet(class = 1, part)] struct Light { level: u8 } },
            "has a class",
        ),
        (
            parse_quote! { #[echonet(class = 1)] struct Light(u8); },
            "fields have names",
        ),
        (
            parse_quote! { #[echonet(class = 1)] enum Light { On } },
            "is a struct",
        ),
    ];
    for (input, expected) in classes {
        let why = why(&input);
        assert!(why.contains(expected), "{why}");
    }
}
