//! `#[derive(Resource)]`: a type whose values are passed by reference.

use proc_macro2::TokenStream;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{Attribute, DeriveInput, Error, LitStr, Path, Result, Token};

/// Expands to the implementation, or to the compile error.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    syn::parse2(input)
        .and_then(implementation)
        .unwrap_or_else(Error::into_compile_error)
}

/// The options in `#[resource(…)]`.
#[derive(Default)]
struct Options {
    module: Option<LitStr>,
    name: Option<LitStr>,
}

impl Options {
    fn read(attributes: &[Attribute]) -> Result<Self> {
        let mut options = Options::default();
        for attribute in attributes
            .iter()
            .filter(|it| it.path().is_ident("resource"))
        {
            attribute.parse_nested_meta(|meta| {
                let value = match () {
                    () if meta.path.is_ident("module") => &mut options.module,
                    () if meta.path.is_ident("name") => &mut options.name,
                    () => {
                        return Err(
                            meta.error("options are `module = \"search\"` and `name = \"index\"`")
                        );
                    }
                };
                *value = Some(meta.value()?.parse()?);
                Ok(())
            })?;
        }
        Ok(options)
    }
}

fn implementation(input: DeriveInput) -> Result<TokenStream> {
    if !input.generics.params.is_empty() {
        let message = "a resource type is not generic: it has one Erlang type";
        return Err(Error::new_spanned(&input.generics, message));
    }
    let options = Options::read(&input.attrs)?;
    let ident = &input.ident;
    let name = match options.name {
        Some(name) => name.value(),
        None => otp_contract::rust::snake_case(&ident.to_string()),
    };
    let option = quote!(::core::option::Option);
    let doc = crate::attributes::doc_lines(&input.attrs);
    let module = match &options.module {
        Some(module) => quote!(#option::Some(#module)),
        None => quote!(#option::None),
    };
    let entry = options.module.map(|module| {
        quote! {
            ::otp_bridge::__private::inventory::submit! {
                ::otp_bridge::__private::ResourceEntry {
                    module: #module,
                    rust_type: ::core::concat!(::core::module_path!(), "::", ::core::stringify!(#ident)),
                    define: |__otp_types| {
                        __otp_types.text::<::otp_bridge::Resource<#ident>>();
                    },
                }
            }
        }
    });
    Ok(quote! {
        const _: () = {
            impl ::otp_bridge::term::ResourceType for #ident {
                const NAME: &'static ::core::primitive::str = #name;
                const MODULE: #option<&'static ::core::primitive::str> = #module;
                const __DOC: &'static [&'static ::core::primitive::str] = &[#(#doc),*];
            }
            #entry
        };
    })
}

/// Returns whether this is `#[derive(…)]` with `Resource` in it.
pub(crate) fn is_derived(attribute: &Attribute) -> bool {
    let paths = Punctuated::<Path, Token![,]>::parse_terminated;
    attribute.path().is_ident("derive")
        && attribute.parse_args_with(paths).is_ok_and(|paths| {
            let mut names = paths.iter().filter_map(|path| path.segments.last());
            names.any(|name| name.ident == "Resource")
        })
}

/// Returns whether this names the Erlang module of a resource type.
pub(crate) fn has_module(attribute: &Attribute) -> bool {
    Options::read(std::slice::from_ref(attribute)).is_ok_and(|options| options.module.is_some())
}
