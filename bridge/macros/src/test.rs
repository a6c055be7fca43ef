//! `#[otp_bridge::test]`: generates a function that runs in a process of a VM, and a test that
//! makes the VM run it.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, ExprArray, ItemFn, LitBool, LitStr, Result};

use crate::names::ours;

/// Expands to the two functions, or to the compile error.
pub(crate) fn attribute(options: TokenStream, item: TokenStream) -> TokenStream {
    let item = match syn::parse2::<ItemFn>(item) {
        Ok(item) => item,
        Err(error) => {
            let message =
                "`#[otp_bridge::test]` stands above a function: `async fn name(cx: &Cx<'_>)`";
            return Error::new(error.span(), message).into_compile_error();
        }
    };
    Options::read(options)
        .and_then(|options| expanded(&options, &item))
        .unwrap_or_else(|error| {
            // Keep the name, so that the compiler reports no further error.
            let name = &item.sig.ident;
            let error = error.into_compile_error();
            quote!(#error #[allow(dead_code)] fn #name() {})
        })
}

/// The options in `#[otp_bridge::test(…)]`.
#[derive(Default)]
struct Options {
    application: Option<LitBool>,
    arguments: Option<ExprArray>,
    /// Keys of the application's environment, with their values.
    environment: Vec<(LitStr, Expr)>,
    timeout: Option<Expr>,
    explore: Option<Exploration>,
}

/// `explore(schedules = 10_000, seed = 7)`: the test runs in a simulated node. Each option is a
/// function of `otp_bridge::testing::Explore`.
#[derive(Default)]
struct Exploration(Vec<(Ident, Expr)>);

impl Exploration {
    fn read(explore: &ParseNestedMeta<'_>) -> Result<Self> {
        let mut read = Exploration::default();
        if explore.input.peek(syn::token::Paren) {
            explore.parse_nested_meta(|option| {
                let known = ["schedules", "seed", "kills", "always"];
                let name = option.path.get_ident();
                let name = name.filter(|name| known.iter().any(|it| name == it));
                let name = name.cloned().ok_or_else(|| {
                    let message = "options of `explore` are `schedules = 10_000`, `seed = 7`, `kills = 1` and \
                                   `always = property`";
                    option.error(message)
                })?;
                read.0.push((name, option.value()?.parse()?));
                Ok(())
            })?;
        }
        Ok(read)
    }
}

impl Options {
    fn read(options: TokenStream) -> Result<Self> {
        let mut read = Options::default();
        let parser = syn::meta::parser(|meta| {
            match () {
                () if meta.path.is_ident("application") => {
                    read.application = Some(meta.value()?.parse()?);
                }
                () if meta.path.is_ident("arguments") => {
                    read.arguments = Some(meta.value()?.parse()?);
                }
                () if meta.path.is_ident("env") => {
                    meta.parse_nested_meta(|variable| {
                        read.environment.push(variable_of(&variable)?);
                        Ok(())
                    })?;
                }
                () if meta.path.is_ident("timeout") => {
                    read.timeout = Some(meta.value()?.parse()?);
                }
                () if meta.path.is_ident("explore") => {
                    read.explore = Some(Exploration::read(&meta)?);
                }
                () => {
                    let message = "options are `application = false`, `arguments = [\"8080\"]`, `env(port = 8080)`, \
                                   `timeout = Duration::from_secs(5)` and `explore(schedules = 1000)`";
                    return Err(meta.error(message));
                }
            }
            Ok(())
        });
        syn::parse::Parser::parse2(parser, options.clone())?;
        let is_for_vm = read.application.is_some()
            || read.arguments.is_some()
            || !read.environment.is_empty()
            || read.timeout.is_some();
        if read.explore.is_some() && is_for_vm {
            let message = "a test with `explore` starts its processes itself, without a VM: the other options have no effect";
            return Err(Error::new_spanned(options, message));
        }
        Ok(read)
    }
}

/// `port = 8080`
fn variable_of(variable: &ParseNestedMeta<'_>) -> Result<(LitStr, Expr)> {
    let key = variable.path.get_ident().map(IdentExt::unraw);
    let key = key
        .ok_or_else(|| variable.error("a key of the environment is a name: `env(port = 8080)`"))?;
    let key = LitStr::new(&key.to_string(), key.span());
    Ok((key, variable.value()?.parse()?))
}

fn expanded(options: &Options, item: &ItemFn) -> Result<TokenStream> {
    check(item)?;
    let conditions = item.attrs.iter().filter(|it| it.path().is_ident("cfg"));
    let (for_harness, own) = split(&item.attrs);
    let body = ItemFn {
        attrs: own.into_iter().cloned().collect(),
        ..item.clone()
    };
    let name = &item.sig.ident;
    if let Some(exploration) = &options.explore {
        let test = explored(exploration, name, item);
        return Ok(quote! {
            #(#for_harness)*
            #[::core::prelude::v1::test]
            fn #name() {
                #body
                #test
            }
        });
    }
    let entry = entry(item);
    let test = run(options, name);
    Ok(quote! {
        #(#conditions)*
        const _: () = {
            #body
            #entry
        };

        #(#for_harness)*
        #[::core::prelude::v1::test]
        fn #name() {
            #test
        }
    })
}

/// Returns the path of the function.
fn full_name(name: &Ident) -> TokenStream {
    quote!(::core::concat!(
        ::core::module_path!(),
        "::",
        ::core::stringify!(#name)
    ))
}

/// Returns the body of the test, which runs the function in simulated nodes.
fn explored(exploration: &Exploration, name: &Ident, item: &ItemFn) -> TokenStream {
    let run_time = quote!(::otp_bridge::__private);
    let call = call(name, item);
    let options = exploration.0.iter();
    let options = options.map(|(option, value)| quote_spanned!(option.span()=> .#option(#value)));
    quote! {
        ::otp_bridge::testing::run_exploration(::otp_bridge::testing::Explore::new() #(#options)*, || {
            #run_time::any_body(async |__otp_cx: &::otp_bridge::Cx<'_>| {
                #run_time::TestReturn::into_end(#call)
            })
        });
    }
}

/// Registers the function in the library that a VM loads.
fn entry(item: &ItemFn) -> TokenStream {
    let run_time = quote!(::otp_bridge::__private);
    let name = &item.sig.ident;
    let full_name = full_name(name);
    let call = call(name, item);
    let location = quote_spanned!(name.span()=> ::core::panic::Location::caller());
    quote! {
        #run_time::inventory::submit! {
            #run_time::TestEntry {
                name: #full_name,
                body: || #run_time::any_body(async |__otp_cx: &::otp_bridge::Cx<'_>| {
                    #run_time::TestReturn::into_end(#call)
                }),
                location: #location,
            }
        }
    }
}

/// Returns the body of the test, which makes a VM run the function.
fn run(options: &Options, name: &Ident) -> TokenStream {
    let full_name = full_name(name);
    let application = match &options.application {
        Some(application) => quote!(#application),
        None => quote!(true),
    };
    let arguments = options.arguments.iter().flat_map(|it| &it.elems);
    let environment = options.environment.iter().map(|(key, value)| {
        let value =
            quote_spanned!(value.span()=> { let __otp_value = #value; ::otp_bridge::Term::of(&__otp_value) });
        quote!((::otp_bridge::atom!(#key), #value))
    });
    let timeout = match &options.timeout {
        Some(timeout) => quote!(::core::option::Option::Some(#timeout)),
        None => quote!(::core::option::Option::None),
    };
    quote! {
        ::otp_bridge::testing::run_test(&::otp_bridge::testing::Test {
            name: #full_name,
            application: #application,
            arguments: &[#(#arguments),*],
            environment: || ::std::vec![#(#environment),*],
            timeout: #timeout,
            folder: ::core::env!("CARGO_MANIFEST_DIR"),
            target: ::core::env!("CARGO_CRATE_NAME"),
            is_library: ::core::option_env!("CARGO_TARGET_TMPDIR").is_none(),
        });
    }
}

fn check(item: &ItemFn) -> Result<()> {
    let signature = &item.sig;
    if let Some(generic) = signature.generics.type_params().next() {
        return Err(Error::new(generic.span(), "a test is not generic"));
    }
    match signature.inputs.iter().nth(1) {
        Some(second) => Err(Error::new(
            second.span(),
            "a test has one argument at most: `cx: &Cx<'_>`",
        )),
        None => Ok(()),
    }
}

/// Splits the attributes into those for the test harness and those for the function.
fn split(attributes: &[Attribute]) -> (Vec<&Attribute>, Vec<&Attribute>) {
    attributes.iter().partition(|attribute| {
        let names = ["ignore", "should_panic", "cfg", "doc"];
        names.iter().any(|name| attribute.path().is_ident(name))
    })
}

/// `name(cx).await`
fn call(name: &Ident, item: &ItemFn) -> TokenStream {
    let context = item.sig.inputs.first().map(|_| ours("cx"));
    let wait = item.sig.asyncness.map(|_| quote!(.await));
    quote!(#name(#context) #wait)
}

#[cfg(test)]
mod tests {
    use super::attribute;

    #[test]
    fn each_mistake_is_named() {
        for (options, function, message) in [
            ("", "struct S;", "stands above a function"),
            ("", "fn f<T>(cx: &Cx<'_>) {}", "a test is not generic"),
            (
                "",
                "fn f(cx: &Cx<'_>, other: u8) {}",
                "one argument at most",
            ),
            ("timeot = 5", "fn f() {}", "options are"),
            ("application = 5", "fn f() {}", "expected boolean literal"),
            ("env(a::b = 5)", "fn f() {}", "is a name"),
            ("env = 5", "fn f() {}", "expected"),
            ("explore(depth = 3)", "fn f() {}", "options of `explore`"),
            (
                "explore, application = false",
                "fn f() {}",
                "have no effect",
            ),
        ] {
            let options = options.parse().expect("tokens");
            let expanded = attribute(options, function.parse().expect("tokens")).to_string();
            assert!(expanded.contains("compile_error"), "{function}: {expanded}");
            assert!(expanded.contains(message), "{function}: {expanded}");
        }
    }
}
