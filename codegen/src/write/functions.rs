//! Functions that call Erlang's.
//!
//! They are not `async fn`s, which on stable Rust cannot be `#[track_caller]`: an exception names the
//! place that called the function, and not the generated file. And they name the type of the future that they
//! return: one of the kind `impl Future` would ask for the arguments' types again where it is awaited, so that
//! a wrong argument would be three errors.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::features::Features;
use super::scope::{Scope, angle, doc, identifier};
use crate::ir::RustType;
use crate::ir::function::{Answer, Argument, Function, Parameter};
use crate::names::camel;
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
pub(super) fn functions(scope: &Scope<'_>, features: &Features, options: &Options) -> TokenStream {
    let condition = features.of_functions(&scope.module.name);
    let of_otp = options.head.applications.contains_key(&scope.module.name);
    let written = scope
        .module
        .functions
        .iter()
        .map(|written| function(scope, written, of_otp));
    quote!(#(#condition #written)*)
}

fn function(scope: &Scope<'_>, function: &Function, of_otp: bool) -> TokenStream {
    let generics = Generics::new(scope, function);
    let scope = &scope.with_parameters(&generics.names);
    let doc = documentation(&scope.module.name, function, of_otp);
    let name = identifier(&function.name);
    let given: Vec<Given<'_>> = generics.given(scope, function);
    let arguments = given.iter().filter_map(|given| given.declared(scope));
    let (types, values) = list(scope, &given);
    let result = answer(scope, &function.answer, &types);
    let generics = generics.declared(function);
    let (module, called) = (&scope.module.name, &function.function);
    quote! {
        #doc
        #[track_caller]
        pub fn #name #generics(cx: &'call rt::Cx<'_>, #(#arguments),*) -> #result {
            static FUNCTION: rt::functions::Function = rt::functions::Function::new(#module, #called);
            rt::functions::call(cx, &FUNCTION, #values)
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

/// The type parameters of a function: those of its form, and one for each argument that is any term.
struct Generics {
    names: Vec<String>,
    /// By the place of the argument.
    any: BTreeMap<usize, String>,
}

impl Generics {
    fn new(scope: &Scope<'_>, function: &Function) -> Self {
        let of_form = function.parameters.iter();
        let mut names: Vec<String> = of_form.map(|parameter| parameter.name.clone()).collect();
        let mut any = BTreeMap::new();
        for (place, argument) in function.arguments.iter().enumerate() {
            if let Argument::Open(name, ty) = argument
                && let Taken::Any = taken(scope, ty)
            {
                let name = unused(&camel(name), &names);
                names.push(name.clone());
                any.insert(place, name);
            }
        }
        Generics { names, any }
    }

    fn given<'f>(&'f self, scope: &Scope<'_>, function: &'f Function) -> Vec<Given<'f>> {
        let arguments = function.arguments.iter().enumerate();
        let given = arguments.map(|(place, argument)| match argument {
            Argument::Given(atom) => Given::Atom(atom),
            Argument::Open(name, ty) => match (self.any.get(&place), taken(scope, ty)) {
                (Some(parameter), _) => Given::Any(name, parameter),
                (None, Taken::Into) => Given::Into(name, ty),
                (None, _) => Given::Exactly(name, ty),
            },
        });
        given.collect()
    }

    /// `<'call, Key: rt::ToTerm>`
    fn declared(&self, function: &Function) -> TokenStream {
        let any = self.any.values().map(|name| {
            let name = identifier(name);
            quote!(#name: rt::ToTerm)
        });
        let of_form = function.parameters.iter().map(bounded);
        let all = std::iter::once(quote!('call)).chain(of_form).chain(any);
        angle(&all.collect::<Vec<_>>())
    }
}

/// The name, or the first of `Name2`, `Name3`, … that nobody has.
fn unused(name: &str, taken: &[String]) -> String {
    let numbered = (2..).map(|number| format!("{name}{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    let free = names.find(|name| !taken.contains(name));
    free.unwrap_or_default()
}

fn bounded(parameter: &Parameter) -> TokenStream {
    let name = identifier(&parameter.name);
    match (parameter.sent, parameter.received) {
        (true, true) => quote!(#name: rt::ToTerm + rt::FromTerm),
        (true, false) => quote!(#name: rt::ToTerm),
        (false, _) => quote!(#name: rt::FromTerm),
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

/// An argument of the Erlang function, and where its value comes from.
enum Given<'f> {
    /// Always this atom.
    Atom(&'f str),
    /// Of the type parameter.
    Any(&'f str, &'f str),
    Into(&'f str, &'f RustType),
    Exactly(&'f str, &'f RustType),
}

impl Given<'_> {
    /// The argument of the Rust function.
    fn declared(&self, scope: &Scope<'_>) -> Option<TokenStream> {
        let ty = self.ty(scope);
        match self {
            Given::Atom(_) => None,
            Given::Any(name, _) | Given::Exactly(name, _) => {
                let name = identifier(name);
                Some(quote!(#name: #ty))
            }
            Given::Into(name, _) => {
                let (name, into) = (identifier(name), scope.standard("Into"));
                Some(quote!(#name: impl #into<#ty>))
            }
        }
    }

    /// The type that is sent.
    fn ty(&self, scope: &Scope<'_>) -> TokenStream {
        match self {
            Given::Atom(atom) => scope.atom(atom),
            Given::Any(_, parameter) => {
                let parameter = identifier(parameter);
                quote!(#parameter)
            }
            Given::Into(_, ty) | Given::Exactly(_, ty) => scope.ty(ty),
        }
    }

    /// The value that is sent.
    fn value(&self, scope: &Scope<'_>) -> TokenStream {
        match self {
            Given::Atom(atom) => scope.atom(atom),
            Given::Any(name, _) | Given::Exactly(name, _) => {
                let name = identifier(name);
                quote!(#name)
            }
            Given::Into(name, _) => {
                let name = identifier(name);
                quote!(#name.into())
            }
        }
    }
}

/// The type and the value of all arguments together.
fn list(scope: &Scope<'_>, given: &[Given<'_>]) -> (TokenStream, TokenStream) {
    if given.len() > LARGEST {
        let values = given.iter().map(|given| {
            let (ty, value) = (given.ty(scope), given.value(scope));
            match given {
                Given::Into(..) => quote!(rt::Term::of::<#ty>(&#value)),
                _ => quote!(rt::Term::of(&#value)),
            }
        });
        return (
            quote!(rt::functions::ManyArguments),
            quote!(vec![#(#values),*]),
        );
    }
    let types = given.iter().map(|given| given.ty(scope));
    let values = given.iter().map(|given| given.value(scope));
    (quote!((#(#types,)*)), quote!((#(#values,)*)))
}

/// The type of the future: what it gives, of which arguments, and how that is read.
fn answer(scope: &Scope<'_>, answer: &Answer, arguments: &TokenStream) -> TokenStream {
    let result = scope.standard("Result");
    let (output, reading) = match answer {
        Answer::Plain(ty) => (scope.ty(ty), None),
        Answer::OkOrError(error) => {
            let error = scope.ty(error);
            let reading = quote!(rt::functions::OkOrError<#error>);
            (quote!(#result<(), #error>), Some(reading))
        }
        Answer::OkWith(value, error) => {
            let (value, error) = (scope.ty(value), scope.ty(error));
            let reading = quote!(rt::functions::OkWith<#value, #error>);
            (quote!(#result<#value, #error>), Some(reading))
        }
        Answer::OkElements(values, error) => {
            let (values, error) = (values.iter().map(|ty| scope.ty(ty)), scope.ty(error));
            let values = quote!((#(#values),*));
            let reading = quote!(rt::functions::OkElements<#values, #error>);
            (quote!(#result<#values, #error>), Some(reading))
        }
    };
    let reading = reading.iter();
    quote!(rt::functions::Calling<'call, #output, #arguments #(, #reading)*>)
}
