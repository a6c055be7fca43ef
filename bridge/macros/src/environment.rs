//! `derive(Env)`: a struct whose fields are keys of an application's environment.

use otp_contract::erlang::quote_atom;
use otp_contract::limits::ATOM_CHARACTERS;
use otp_contract::rust::snake_case;
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Attribute, Data, DeriveInput, Error, Expr, Fields, Ident, Lit, LitStr, Result, Type};

use crate::names::ours;
use crate::standard::is_option;

/// Expands to the implementations, or to the compile error.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let settings = syn::parse2(input).and_then(|input| Settings::of(&input));
    settings.map_or_else(Error::into_compile_error, |settings| settings.expanded())
}

struct Settings {
    name: Ident,
    options: Options,
    variables: Vec<Variable>,
}

/// `#[env(…)]` of the struct.
#[derive(Default)]
struct Options {
    /// The application of the environment, if it is not that of the crate.
    application: Option<LitStr>,
    /// Whether the struct is the value of a key of another struct.
    nested: bool,
}

/// A field.
struct Variable {
    field: Ident,
    ty: Type,
    key: String,
    /// The value for a missing key.
    default: Option<TokenStream>,
}

impl Settings {
    fn of(input: &DeriveInput) -> Result<Self> {
        let named = match &input.data {
            Data::Struct(data) => match &data.fields {
                Fields::Named(fields) => Some(fields),
                _ => None,
            },
            _ => None,
        };
        let Some(fields) = named else {
            let message = "an environment is a struct whose fields have names: each is a key";
            return Err(Error::new(input.ident.span(), message));
        };
        if let Some(parameter) = input.generics.params.first() {
            let message = "an environment has no parameters: its types are known when the application is built";
            return Err(Error::new_spanned(parameter, message));
        }
        let variables: Vec<Variable> = fields
            .named
            .iter()
            .map(Variable::of)
            .collect::<Result<_>>()?;
        for (number, variable) in variables.iter().enumerate() {
            let mut earlier = variables[..number].iter();
            if earlier.any(|one| one.key == variable.key) {
                let message = format!("two fields have the key `{}`", variable.key);
                return Err(Error::new(variable.field.span(), message));
            }
        }
        let options = Options::of(&input.attrs)?;
        let name = input.ident.clone();
        Ok(Settings {
            name,
            options,
            variables,
        })
    }

    fn expanded(&self) -> TokenStream {
        let keys = self.variables.iter().map(|variable| &variable.key);
        let places: Vec<Ident> = (0..self.variables.len())
            .map(|number| ours(&format!("KEY_{number}")))
            .collect();
        let (erlang_type, reading) = (self.erlang_type(), self.reading(&places));
        let environment = (!self.options.nested).then(|| self.environment());
        let default = self.default();
        quote! {
            #[allow(clippy::all)]
            const _: () = {
                #(static #places: ::otp_bridge::term::StaticAtom =
                    ::otp_bridge::term::StaticAtom::new(#keys);)*
                #erlang_type
                #reading
                #environment
                #default
            };
        }
    }

    /// Returns `#{port := 0..65535, host => binary()}`.
    fn erlang_type(&self) -> TokenStream {
        let (name, erlang_name) = (&self.name, snake_case(&self.name.to_string()));
        let mut pieces = vec![quote!(::otp_bridge::term::Piece::Text("#{"))];
        for (number, variable) in self.variables.iter().enumerate() {
            let separator = if number > 0 { ", " } else { "" };
            let arrow = if variable.default.is_some() {
                "=>"
            } else {
                ":="
            };
            let text = format!("{separator}{} {arrow} ", quote_atom(&variable.key));
            let ty = &variable.ty;
            pieces.push(quote!(::otp_bridge::term::Piece::Text(#text)));
            pieces.push(quote!(::otp_bridge::term::Piece::Type(
                <#ty as ::otp_bridge::term::ErlangType>::erlang_type
            )));
        }
        pieces.push(quote!(::otp_bridge::term::Piece::Text("}")));
        quote! {
            impl ::otp_bridge::term::ErlangType for #name {
                fn erlang_type() -> ::std::string::String {
                    ::otp_bridge::term::derived_type(
                        ::core::any::type_name::<Self>(), #erlang_name, &[#(#pieces),*], &[],
                    )
                }
            }
        }
    }

    /// Returns `impl FromTerm`.
    fn reading(&self, places: &[Ident]) -> TokenStream {
        let name = &self.name;
        let fields = self.variables.iter().zip(places).map(|(variable, place)| {
            let Variable {
                field, ty, default, ..
            } = variable;
            match default {
                Some(default) => quote! {
                    #field: match ::otp_bridge::__private::environment::value::<#ty, __OtpView>(
                        __otp_view, &#place, __otp_reader,
                    )? {
                        ::core::option::Option::Some(__otp_value) => __otp_value,
                        ::core::option::Option::None => #default,
                    }
                },
                None => quote! {
                    #field: ::otp_bridge::__private::environment::required::<#ty, __OtpView>(
                        __otp_view, &#place, __otp_reader,
                    )?
                },
            }
        });
        quote! {
            impl ::otp_bridge::term::FromTerm for #name {
                fn from_term<'__otp_view, __OtpView: ::otp_bridge::term::View<'__otp_view>>(
                    __otp_view: __OtpView,
                ) -> ::std::result::Result<Self, ::otp_bridge::term::DecodeError> {
                    ::otp_bridge::term::Reader::start(|__otp_reader| Self::__read(__otp_view, __otp_reader))
                }

                fn __read<'__otp_view, __OtpView: ::otp_bridge::term::View<'__otp_view>>(
                    __otp_view: __OtpView,
                    __otp_reader: ::otp_bridge::term::Reader<'_>,
                ) -> ::std::result::Result<Self, ::otp_bridge::term::DecodeError> {
                    let __otp_reader = ::otp_bridge::__private::environment::inside::<Self, __OtpView>(
                        __otp_view, __otp_reader,
                    )?;
                    ::std::result::Result::Ok(Self { #(#fields),* })
                }
            }
        }
    }

    /// Returns `impl Default`, with the value as if all keys were missing, if every key may be
    /// missing.
    fn default(&self) -> Option<TokenStream> {
        let name = &self.name;
        let field = |variable: &Variable| {
            let (field, default) = (&variable.field, variable.default.as_ref()?);
            Some(quote!(#field: #default))
        };
        let fields: Option<Vec<TokenStream>> = self.variables.iter().map(field).collect();
        fields.map(|fields| {
            quote! {
                impl ::core::default::Default for #name {
                    fn default() -> Self {
                        Self { #(#fields),* }
                    }
                }
            }
        })
    }

    /// Returns `impl Env`, and the registry's entry for `cargo otp build` and the start of the
    /// application.
    fn environment(&self) -> TokenStream {
        let name = &self.name;
        let text = name.unraw().to_string();
        let application = match &self.options.application {
            Some(application) => quote!(#application),
            None => quote!(::core::env!("CARGO_CRATE_NAME")),
        };
        let variables = self.variables.iter().map(|variable| {
            let Variable {
                ty, key, default, ..
            } = variable;
            let is_required = default.is_none();
            quote! {
                ::otp_bridge::__private::environment::Variable {
                    key: #key,
                    is_required: #is_required,
                    expected: <#ty as ::otp_bridge::term::ErlangType>::erlang_type,
                    check: ::otp_bridge::__private::environment::check::<#ty>,
                }
            }
        });
        quote! {
            impl ::otp_bridge::Env for #name {
                const APPLICATION: &'static ::core::primitive::str = #application;
            }

            ::otp_bridge::__private::inventory::submit! {
                ::otp_bridge::__private::environment::Environment {
                    application: #application,
                    rust_type: ::core::concat!(::core::module_path!(), "::", #text),
                    file: ::core::file!(),
                    line: ::core::line!(),
                    variables: &[#(#variables),*],
                }
            }
        }
    }
}

impl Options {
    fn of(attributes: &[Attribute]) -> Result<Self> {
        let mut options = Options::default();
        for attribute in attributes.iter().filter(|it| it.path().is_ident("env")) {
            attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("application") {
                    options.application = Some(atom(meta.value()?.parse()?)?);
                } else if meta.path.is_ident("nested") {
                    options.nested = true;
                } else {
                    return Err(meta.error("a struct may have `application` or `nested`"));
                }
                Ok(())
            })?;
        }
        match (&options.application, options.nested) {
            (Some(application), true) => Err(Error::new(
                application.span(),
                "a nested struct belongs to the environment that has a field of it",
            )),
            _ => Ok(options),
        }
    }
}

impl Variable {
    fn of(field: &syn::Field) -> Result<Self> {
        let name = field.ident.clone();
        let name = name.ok_or_else(|| Error::new_spanned(field, "a field without a name"))?;
        let mut key = name.unraw().to_string();
        let mut default = is_option(&field.ty).then(|| quote!(::core::option::Option::None));
        for attribute in field.attrs.iter().filter(|it| it.path().is_ident("env")) {
            attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("key") {
                    key = atom(meta.value()?.parse()?)?.value();
                } else if !meta.path.is_ident("default") {
                    return Err(meta.error("a field may have `default` or `key`"));
                } else if meta.input.peek(syn::Token![=]) {
                    default = Some(written(&meta.value()?.parse()?));
                } else {
                    default = Some(quote!(::core::default::Default::default()));
                }
                Ok(())
            })?;
        }
        let (field, ty) = (name, field.ty.clone());
        Ok(Variable {
            field,
            ty,
            key,
            default,
        })
    }
}

/// Converts a text into the type of the field, such as `String`.
fn written(default: &Expr) -> TokenStream {
    match default {
        Expr::Lit(literal) if matches!(literal.lit, Lit::Str(_)) => {
            quote!(::core::convert::Into::into(#default))
        }
        _ => quote!(#default),
    }
}

fn atom(text: LitStr) -> Result<LitStr> {
    match text.value().chars().count() {
        1..=ATOM_CHARACTERS => Ok(text),
        _ => Err(Error::new(
            text.span(),
            format!("an atom has 1 to {ATOM_CHARACTERS} characters"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        let input: DeriveInput = syn::parse_str(text).expect("Rust");
        Settings::of(&input)
            .err()
            .map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn a_struct_with_keys_is_an_environment() {
        for text in [
            "struct S { port: u16 }",
            "struct S {}",
            "#[env(application = \"kernel\")] struct S { #[env(key = \"type\", default)] r#type: u8 }",
        ] {
            assert_eq!(refusal(text), "", "{text}");
        }
    }

    #[test]
    fn what_is_not_one_is_refused() {
        for (text, part) in [
            ("struct S(u8);", "fields have names"),
            ("enum S { A }", "fields have names"),
            ("struct S<T> { a: T }", "no parameters"),
            (
                "struct S { #[env(key = \"b\")] a: u8, b: u8 }",
                "two fields have the key `b`",
            ),
            ("struct S { #[env(key = \"\")] a: u8 }", "1 to 255"),
            (
                "struct S { #[env(rename = \"b\")] a: u8 }",
                "`default` or `key`",
            ),
            (
                "#[env(nested, application = \"a\")] struct S {}",
                "a nested struct",
            ),
            (
                "#[env(name = \"a\")] struct S {}",
                "`application` or `nested`",
            ),
        ] {
            assert!(refusal(text).contains(part), "{text}: {}", refusal(text));
        }
    }
}
