//! Functions that call Erlang's: one block of declarations, from which a macro of the run time
//! generates functions.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::features::Features;
use super::scope::{Scope, angle, doc, identifier};
use crate::complete::given;
use crate::ir::RustType;
use crate::ir::function::{Function, FunctionAnswer, FunctionArgument, Parameter};
use crate::names::{Taken as Names, camel};
use crate::options::Options;

/// Returns all functions of the module.
pub(super) fn functions(scope: &Scope<'_>, features: &Features, options: &Options) -> TokenStream {
    let module = &scope.module.name;
    if scope.module.functions.is_empty() {
        return TokenStream::new();
    }
    let condition = features.of_functions(module);
    let of_otp = options.head.applications.contains_key(module);
    let manual = of_otp.then(|| quote!(, manual));
    let declared = scope.module.functions.iter();
    let declared = declared.map(|declared| function(scope, declared));
    quote! {
        #condition
        #[rt::bindings(module = #module #manual)]
        extern "Erlang" { #(#declared)* }
    }
}

fn function(scope: &Scope<'_>, function: &Function) -> TokenStream {
    let generics = Generics::new(scope, function);
    let scope = &scope.with_parameters(&generics.names);
    let doc = doc(&format!("`{}`", function.erlang));
    let name = identifier(&function.name);
    let given: Vec<Given<'_>> = generics.given(scope, function);
    let arguments = given.iter().filter_map(|given| given.declared(scope));
    let erlang = erlang(scope, function, &given);
    let result = answer(scope, &function.answer);
    let generics = generics.declared(function);
    quote! {
        #doc
        #erlang
        pub fn #name #generics(#(#arguments),*) -> #result;
    }
}

/// Returns the name in Erlang, and all arguments if some are atoms.
fn erlang(scope: &Scope<'_>, function: &Function, given: &[Given<'_>]) -> Option<TokenStream> {
    let name = &function.function;
    let is_atom = |given: &Given<'_>| matches!(given, Given::Atom(_));
    if given.iter().any(is_atom) {
        let places = given.iter().map(|given| given.in_erlang(scope));
        return Some(quote!(#[erlang(#name, #(#places),*)]));
    }
    let rust = function.name.trim_start_matches("r#");
    (rust != name).then(|| quote!(#[erlang(#name)]))
}

/// The type parameters of a function: those of its form, and one for each argument that is any
/// term.
struct Generics {
    names: Vec<String>,
    /// By the index of the argument.
    any: BTreeMap<usize, String>,
}

impl Generics {
    fn new(scope: &Scope<'_>, function: &Function) -> Self {
        let of_form = function.parameters.iter();
        let mut names: Vec<String> = of_form.map(|parameter| parameter.name.clone()).collect();
        let mut in_use = Names::default();
        for name in &names {
            in_use.claim(name);
        }
        let mut any = BTreeMap::new();
        for (place, argument) in function.arguments.iter().enumerate() {
            if let FunctionArgument::Open(name, ty) = argument
                && let Taken::Any = taken(scope, ty)
            {
                let name = in_use.claim(&camel(name.trim_start_matches("r#")));
                names.push(name.clone());
                any.insert(place, name);
            }
        }
        Generics { names, any }
    }

    fn given<'f>(&'f self, scope: &Scope<'_>, function: &'f Function) -> Vec<Given<'f>> {
        let arguments = function.arguments.iter().enumerate();
        let given = arguments.map(|(place, argument)| match argument {
            FunctionArgument::Given(atom) => Given::Atom(atom),
            FunctionArgument::Open(name, ty) => match (self.any.get(&place), taken(scope, ty)) {
                (Some(parameter), _) => Given::Any(name, parameter),
                (None, Taken::Into) => Given::Into(name, ty),
                (None, Taken::Checked) => Given::Checked(name, ty),
                (None, _) => Given::Exactly(name, ty),
            },
        });
        given.collect()
    }

    /// `<Key: rt::ToTerm>`
    fn declared(&self, function: &Function) -> TokenStream {
        let any = self.any.values().map(|name| {
            let name = identifier(name);
            quote!(#name: rt::ToTerm)
        });
        let of_form = function.parameters.iter().map(bounded);
        angle(&of_form.chain(any).collect::<Vec<_>>())
    }
}

fn bounded(parameter: &Parameter) -> TokenStream {
    let name = identifier(&parameter.name);
    match (parameter.sent, parameter.received) {
        (true, true) => quote!(#name: rt::ToTerm + rt::FromTerm),
        (true, false) => quote!(#name: rt::ToTerm),
        (false, _) => quote!(#name: rt::FromTerm),
    }
}

/// The way in which an argument is passed.
enum Taken {
    /// Any term.
    Any,
    /// Any type that converts.
    Into,
    Checked,
    /// The type itself.
    Exactly,
}

fn taken(scope: &Scope<'_>, ty: &RustType) -> Taken {
    match scope.aliases.canonical(ty) {
        ty if ty == RustType::TERM => Taken::Any,
        ty if given::is_converted(&ty) => Taken::Into,
        ty if given::is_checked(&ty) => Taken::Checked,
        _ => Taken::Exactly,
    }
}

/// An argument of the Erlang function, and the source of its value.
enum Given<'f> {
    /// Always this atom.
    Atom(&'f str),
    /// A value of the type parameter.
    Any(&'f str, &'f str),
    Into(&'f str, &'f RustType),
    Checked(&'f str, &'f RustType),
    Exactly(&'f str, &'f RustType),
}

impl Given<'_> {
    /// Returns the argument of the Rust function.
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
            Given::Checked(name, _) => {
                let name = identifier(name);
                Some(quote!(#name: impl rt::GivenFor<#ty>))
            }
        }
    }

    /// Returns the declared type, before the conversion.
    fn ty(&self, scope: &Scope<'_>) -> TokenStream {
        match self {
            Given::Atom(atom) => scope.atom(atom),
            Given::Any(_, parameter) => {
                let parameter = identifier(parameter);
                quote!(#parameter)
            }
            Given::Into(_, ty) | Given::Checked(_, ty) | Given::Exactly(_, ty) => scope.ty(ty),
        }
    }

    /// Returns the argument for the Erlang call: its name, or the atom.
    fn in_erlang(&self, scope: &Scope<'_>) -> TokenStream {
        match self {
            Given::Atom(atom) => scope.atom(atom),
            Given::Any(name, _)
            | Given::Into(name, _)
            | Given::Checked(name, _)
            | Given::Exactly(name, _) => {
                let name = identifier(name);
                quote!(#name)
            }
        }
    }
}

/// Returns the result type, which determines how the result is decoded.
fn answer(scope: &Scope<'_>, answer: &FunctionAnswer) -> TokenStream {
    match answer {
        FunctionAnswer::Plain(ty) => scope.ty(ty),
        FunctionAnswer::OkOrError(error) => {
            let error = scope.ty(error);
            quote!(rt::OkOrError<#error>)
        }
        FunctionAnswer::OkWith(value, error) => {
            let (value, error) = (scope.ty(value), scope.ty(error));
            quote!(rt::OkWith<#value, #error>)
        }
        FunctionAnswer::OkElements(values, error) => {
            let (values, error) = (values.iter().map(|ty| scope.ty(ty)), scope.ty(error));
            quote!(rt::OkElements<(#(#values),*), #error>)
        }
    }
}
