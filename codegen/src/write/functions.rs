//! Functions that call Erlang's.
//!
//! They are not `async fn`s, which on stable Rust cannot be `#[track_caller]`: an exception names the
//! place that called the function, and not the generated file.

use proc_macro2::TokenStream;
use quote::quote;

use super::scope::{Scope, angle, doc, identifier};
use crate::ir::RustType;
use crate::ir::function::{Answer, Argument, Function, Parameter};
use crate::options::Options;

/// The most arguments that the run time takes as a tuple.
const LARGEST: usize = 8;

/// Types of the run time that others convert into.
const CONVERTIBLE: [&str; 11] = [
    "Atom",
    "Binary",
    "Bitstring",
    "ErlangString",
    "Identifier",
    "Integer",
    "Iodata",
    "Iolist",
    "Number",
    "Timeout",
    "Tuple",
];

/// All functions of the module.
pub(super) fn functions(scope: &Scope<'_>, options: &Options) -> TokenStream {
    let of_otp = options.head.applications.contains_key(&scope.module.name);
    let written = scope
        .module
        .functions
        .iter()
        .map(|written| function(scope, written, of_otp));
    quote!(#(#written)*)
}

fn function(scope: &Scope<'_>, function: &Function, of_otp: bool) -> TokenStream {
    let names: Vec<String> = function
        .parameters
        .iter()
        .map(|parameter| parameter.name.clone())
        .collect();
    let scope = &scope.with_parameters(&names);
    let doc = documentation(&scope.module.name, function, of_otp);
    let name = identifier(&function.name);
    let call = std::iter::once(quote!('call));
    let generics = call.chain(function.parameters.iter().map(bounded));
    let generics = angle(&generics.collect::<Vec<_>>());
    let arguments = function
        .arguments
        .iter()
        .filter_map(|argument| match argument {
            Argument::Open(name, ty) => Some(declared(scope, name, ty)),
            Argument::Given(_) => None,
        });
    let conversions = function
        .arguments
        .iter()
        .filter_map(|argument| match argument {
            Argument::Open(name, ty) => converted(scope, name, ty),
            Argument::Given(_) => None,
        });
    let values = values(scope, &function.arguments);
    let (output, kind) = answer(scope, &function.answer);
    let (result, module, called) = (
        scope.standard("Result"),
        &scope.module.name,
        &function.function,
    );
    quote! {
        #doc
        #[track_caller]
        pub fn #name #generics(
            cx: &'call rt::Cx<'_>,
            #(#arguments),*
        ) -> impl rt::Future<Output = #result<#output, rt::Exit>> + 'call {
            static FUNCTION: rt::functions::Function = rt::functions::Function::new(#module, #called);
            #(#conversions)*
            rt::functions::call::<#kind, _>(cx, &FUNCTION, #values)
        }
    }
}

/// The function's name, the manual's page of it if it is OTP's, and the form.
fn documentation(module: &str, function: &Function, of_otp: bool) -> TokenStream {
    let (name, arity) = (&function.function, function.arity);
    let called = format!("{module}:{name}/{arity}");
    let first = if of_otp {
        format!("[`{called}`](https://www.erlang.org/doc/man/{module}.html#{name}-{arity})")
    } else {
        format!("`{called}`")
    };
    doc(&format!("{first}\n\n`{}`", function.erlang))
}

fn bounded(parameter: &Parameter) -> TokenStream {
    let name = identifier(&parameter.name);
    match (parameter.sent, parameter.received) {
        (true, true) => quote!(#name: rt::ToTerm + rt::FromTerm + 'call),
        (true, false) => quote!(#name: rt::ToTerm + 'call),
        (false, _) => quote!(#name: rt::FromTerm + 'call),
    }
}

/// How an argument is taken.
enum Taken {
    /// Any term.
    Any,
    /// Whatever converts.
    Into,
    /// The type itself.
    Exactly,
}

fn taken(scope: &Scope<'_>, ty: &RustType) -> Taken {
    match scope.aliases.canonical(ty) {
        ty if ty == RustType::TERM => Taken::Any,
        ty if generic(&ty) => Taken::Exactly,
        RustType::Item { .. } => Taken::Into,
        RustType::Runtime(name, _) if CONVERTIBLE.contains(&name) => Taken::Into,
        _ => Taken::Exactly,
    }
}

fn generic(ty: &RustType) -> bool {
    matches!(ty, RustType::Parameter(_)) || ty.children().into_iter().any(generic)
}

fn declared(scope: &Scope<'_>, name: &str, ty: &RustType) -> TokenStream {
    let name = identifier(name);
    match taken(scope, ty) {
        Taken::Any => quote!(#name: impl rt::ToTerm + 'call),
        Taken::Into => {
            let (into, ty) = (scope.standard("Into"), scope.ty(ty));
            quote!(#name: impl #into<#ty>)
        }
        Taken::Exactly => {
            let ty = scope.ty(ty);
            quote!(#name: #ty)
        }
    }
}

fn converted(scope: &Scope<'_>, name: &str, ty: &RustType) -> Option<TokenStream> {
    let name = identifier(name);
    let ty = match taken(scope, ty) {
        Taken::Into => scope.ty(ty),
        Taken::Any | Taken::Exactly => return None,
    };
    Some(quote!(let #name: #ty = #name.into();))
}

fn values(scope: &Scope<'_>, arguments: &[Argument]) -> TokenStream {
    let values = arguments.iter().map(|argument| match argument {
        Argument::Open(name, _) => {
            let name = identifier(name);
            quote!(#name)
        }
        Argument::Given(atom) => scope.atom(atom),
    });
    if arguments.len() > LARGEST {
        return quote!(vec![#(rt::Term::of(&#values)),*]);
    }
    quote!((#(#values,)*))
}

/// The type of the result, and how it is read.
fn answer(scope: &Scope<'_>, answer: &Answer) -> (TokenStream, TokenStream) {
    let result = scope.standard("Result");
    match answer {
        Answer::Plain(ty) => {
            let ty = scope.ty(ty);
            (ty.clone(), quote!(rt::functions::Plain<#ty>))
        }
        Answer::OkOrError(error) => {
            let error = scope.ty(error);
            (
                quote!(#result<(), #error>),
                quote!(rt::functions::OkOrError<#error>),
            )
        }
        Answer::OkWith(value, error) => {
            let (value, error) = (scope.ty(value), scope.ty(error));
            let kind = quote!(rt::functions::OkWith<#value, #error>);
            (quote!(#result<#value, #error>), kind)
        }
        Answer::OkElements(values, error) => {
            let (values, error) = (values.iter().map(|ty| scope.ty(ty)), scope.ty(error));
            let values = quote!((#(#values),*));
            let kind = quote!(rt::functions::OkElements<#values, #error>);
            (quote!(#result<#values, #error>), kind)
        }
    }
}
