//! `#[functions(…)]` on `extern "Erlang" { … }`: generates bindings of Erlang functions.
//!
//! Each declaration becomes a function of the context and these arguments that returns a future.
//! The functions are not `async fn`s, because on stable Rust these cannot be `#[track_caller]`: an
//! exception names the line that called the function, and not the generated file. The return type
//! is named, because `impl Future` would require the argument types again at the `.await`, and a
//! wrong argument would give three errors.
//!
//! | option | meaning |
//! |---|---|
//! | `#[functions(module = "ets")]` | the Erlang module |
//! | `#[functions(…, manual)]` | OTP's manual has a page about it |
//! | `#[erlang("match")]` on a function | its name in Erlang, if it differs from the Rust name |
//! | `#[erlang("process_flag", atoms::trap_exit, boolean)]` | its name in Erlang and all its arguments: arguments of the declaration, and atoms |

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Error, FnArg, ForeignItem, ForeignItemFn, GenericArgument, ItemForeignMod, LitStr, Meta, Pat,
    Path, PathArguments, Result, ReturnType, Token, Type, TypeParamBound,
};

/// The largest number of arguments that the run time accepts as a tuple.
const LARGEST: usize = 8;

/// Expands a block to its functions, or to the compile error.
pub(crate) fn attribute(options: TokenStream, block: TokenStream) -> TokenStream {
    functions(options, block).unwrap_or_else(Error::into_compile_error)
}

fn functions(options: TokenStream, block: TokenStream) -> Result<TokenStream> {
    let module = Module::read(options)?;
    let block: ItemForeignMod = syn::parse2(block)?;
    let attributes = &block.attrs;
    let mut written = TokenStream::new();
    for item in &block.items {
        let ForeignItem::Fn(declared) = item else {
            return Err(Error::new(item.span(), "only functions can be bound"));
        };
        let function = function(&module, declared)?;
        written.extend(quote!(#(#attributes)* #function));
    }
    Ok(written)
}

/// The options of a block.
struct Module {
    name: LitStr,
    has_manual: bool,
}

impl Module {
    fn read(options: TokenStream) -> Result<Self> {
        let mut name = None;
        let mut has_manual = false;
        let parser = syn::meta::parser(|meta| {
            if meta.path.is_ident("manual") {
                has_manual = true;
            } else if meta.path.is_ident("module") {
                name = Some(meta.value()?.parse()?);
            } else {
                return Err(meta.error("options are `module` and `manual`"));
            }
            Ok(())
        });
        parser.parse2(options)?;
        let name = name.ok_or_else(|| {
            Error::new(
                proc_macro2::Span::call_site(),
                "`module = \"…\"` is missing",
            )
        })?;
        Ok(Module { name, has_manual })
    }

    /// Returns the first line of a function's documentation.
    fn heading(&self, function: &str, arity: usize) -> String {
        let module = self.name.value();
        let called = format!("`{module}:{function}/{arity}`");
        if self.has_manual {
            format!(" [{called}](https://www.erlang.org/doc/man/{module}.html#{function}-{arity})")
        } else {
            format!(" {called}")
        }
    }
}

fn function(module: &Module, declared: &ForeignItemFn) -> Result<TokenStream> {
    let signature = &declared.sig;
    let called = Called::read(declared)?;
    let (types, values) = called.list();
    let result = result(&signature.output, &types);
    let heading = module.heading(&called.name.value(), called.arguments.len());
    let is_ours = |attribute: &&syn::Attribute| !attribute.path().is_ident("erlang");
    let attributes = declared.attrs.iter().filter(is_ours);
    let (visibility, name, inputs) = (&declared.vis, &signature.ident, &signature.inputs);
    let parameters = signature.generics.params.iter();
    let (erlang_module, erlang_name) = (&module.name, &called.name);
    Ok(quote! {
        #[doc = #heading]
        #[doc = ""]
        #(#attributes)*
        #[track_caller]
        #visibility fn #name<'call #(, #parameters)*>(__otp_cx: &'call ::otp_bridge::Cx<'_>, #inputs) -> #result {
            static __OTP_FUNCTION: ::otp_bridge::__private::functions::Function =
                ::otp_bridge::__private::functions::Function::new(#erlang_module, #erlang_name);
            ::otp_bridge::__private::functions::call(__otp_cx, &__OTP_FUNCTION, #values)
        }
    })
}

/// An argument of the Erlang function.
struct Argument {
    ty: TokenStream,
    value: TokenStream,
}

/// The Erlang function.
struct Called {
    name: LitStr,
    arguments: Vec<Argument>,
}

impl Called {
    fn read(declared: &ForeignItemFn) -> Result<Self> {
        let given: Vec<(Ident, Argument)> = declared
            .sig
            .inputs
            .iter()
            .map(argument)
            .collect::<Result<_>>()?;
        let mut attributes = declared.attrs.iter();
        let own = || {
            LitStr::new(
                &declared.sig.ident.unraw().to_string(),
                declared.sig.ident.span(),
            )
        };
        let Some(attribute) = attributes.find(|attribute| attribute.path().is_ident("erlang"))
        else {
            let arguments = given.into_iter().map(|(_, argument)| argument).collect();
            return Ok(Called {
                name: own(),
                arguments,
            });
        };
        let Meta::List(list) = &attribute.meta else {
            return Err(Error::new(attribute.span(), "`erlang(\"name\", …)`"));
        };
        let parser = |input: syn::parse::ParseStream<'_>| {
            let name: LitStr = input.parse()?;
            let comma: Option<Token![,]> = input.parse()?;
            let paths = Punctuated::<Path, Token![,]>::parse_terminated(input)?;
            Ok((name, comma.map(|_| paths)))
        };
        let (name, paths) = parser.parse2(list.tokens.clone())?;
        let arguments = match paths {
            None => given.into_iter().map(|(_, argument)| argument).collect(),
            Some(paths) => placed(given, &paths),
        };
        Ok(Called { name, arguments })
    }

    /// Returns the type and the value of all arguments together.
    fn list(&self) -> (TokenStream, TokenStream) {
        let types = self.arguments.iter().map(|argument| &argument.ty);
        let values = self.arguments.iter().map(|argument| &argument.value);
        if self.arguments.len() > LARGEST {
            return (
                quote!(::otp_bridge::__private::functions::ManyArguments),
                quote!(::std::vec![#(::otp_bridge::Term::of::<#types>(&#values)),*]),
            );
        }
        (quote!((#(#types,)*)), quote!((#(#values,)*)))
    }
}

/// Returns the arguments in the order of the paths. A path that does not name an argument is an
/// atom.
fn placed(mut given: Vec<(Ident, Argument)>, paths: &Punctuated<Path, Token![,]>) -> Vec<Argument> {
    let one = |path: &Path| {
        let place = given.iter().position(|(name, _)| path.is_ident(name));
        match place {
            Some(place) => given.remove(place).1,
            None => Argument {
                ty: quote!(#path),
                value: quote!(#path),
            },
        }
    };
    paths.iter().map(one).collect()
}

/// Returns an argument's name, and the type that is sent: `impl Into<T>` and `impl GivenFor<T>` are
/// sent as `T`.
fn argument(input: &FnArg) -> Result<(Ident, Argument)> {
    let FnArg::Typed(input) = input else {
        return Err(Error::new(input.span(), "a function has no `self`"));
    };
    let Pat::Ident(name) = &*input.pat else {
        return Err(Error::new(input.pat.span(), "an argument has a name"));
    };
    let (name, ty) = (name.ident.clone(), &input.ty);
    let argument = match converted(ty) {
        Some((bound, ty)) => Argument {
            ty: quote!(#ty),
            value: if bound == "Into" {
                quote!(::core::convert::Into::into(#name))
            } else {
                quote!(::otp_bridge::__private::GivenFor::checked(#name))
            },
        },
        None => Argument {
            ty: quote!(#ty),
            value: quote!(#name),
        },
    };
    Ok((name, argument))
}

/// Returns the trait and the `T` of `impl Into<T>` and `impl GivenFor<T>`.
fn converted(ty: &Type) -> Option<(String, &Type)> {
    let Type::ImplTrait(ty) = ty else { return None };
    let TypeParamBound::Trait(bound) = ty.bounds.first()? else {
        return None;
    };
    let (name, arguments) = last(&bound.path)?;
    let is_known = name == "Into" || name == "GivenFor";
    let ty = arguments.into_iter().next().filter(|_| is_known)?;
    Some((name, ty))
}

/// Returns the last segment of a path, and its types.
fn last(path: &Path) -> Option<(String, Vec<&Type>)> {
    let last = path.segments.last()?;
    let arguments = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => arguments
            .args
            .iter()
            .filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    Some((last.ident.to_string(), arguments))
}

/// Returns the type of the future. `rt::OkWith<T, E>` and similar types define how the result is
/// read.
fn result(output: &ReturnType, arguments: &TokenStream) -> TokenStream {
    let calling = quote!(::otp_bridge::__private::functions::Calling);
    let ReturnType::Type(_, ty) = output else {
        return quote!(#calling<'call, (), #arguments>);
    };
    let read = match &**ty {
        Type::Path(path)
            if path
                .path
                .segments
                .first()
                .is_some_and(|root| root.ident == "rt") =>
        {
            last(&path.path)
        }
        _ => None,
    };
    let result = quote!(::core::result::Result);
    let output = match read
        .as_ref()
        .map(|(name, types)| (name.as_str(), types.as_slice()))
    {
        Some(("OkOrError", [error])) => quote!(#result<(), #error>),
        Some(("OkWith" | "OkElements", [value, error])) => quote!(#result<#value, #error>),
        _ => return quote!(#calling<'call, #ty, #arguments>),
    };
    quote!(#calling<'call, #output, #arguments, #ty>)
}
