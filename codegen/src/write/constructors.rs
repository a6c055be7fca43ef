//! `clause`: functions that make a clause for every return enum that has it.

use proc_macro2::TokenStream;
use quote::quote;

use super::conversions::is_enum;
use super::returns::{escaped, fields};
use super::scope::{Scope, angle, angle_names, doc, identifier};
use crate::ir::{Behaviour, Constructed, Constructor, Given, RustType};

/// The module `clause`.
pub(super) fn constructors(scope: &Scope<'_>, behaviour: &Behaviour) -> TokenStream {
    let scope = scope.nested();
    let written = behaviour
        .constructors
        .iter()
        .map(|made| constructor(&scope, made));
    let run_time = super::run_time_import(behaviour.constructors.is_empty());
    quote! {
        /// Functions that make the clauses of callbacks' results, each for every callback that has
        /// the clause.
        pub mod clause {
            #run_time
            #(#written)*
        }
    }
}

fn constructor(scope: &Scope<'_>, made: &Constructor) -> TokenStream {
    let scope = &scope.with_parameters(&made.parameters);
    let (function, name) = (identifier(&made.function), identifier(&made.trait_name));
    let parameters = angle_names(&made.parameters);
    let sized = scope.standard("Sized");
    let trait_doc = doc(&format!("A value that can be `{}`.", made.erlang));
    let function_doc = doc(&format!("`{}`", made.erlang));
    let types = match made.elements.as_slice() {
        [] => "",
        _ => " of these types",
    };
    let message = format!("`{{Self}}` cannot be `{}`{types}", escaped(&made.erlang));
    let forms = made.forms.iter().map(|form| escaped(form));
    let notes = conversions(made).into_iter().chain(forms);
    let notes = notes.map(|note| quote!(, note = #note));
    let exact: Vec<TokenStream> = made
        .elements
        .iter()
        .map(|(name, given)| exact(scope, name, given))
        .collect();
    let accepted = made.elements.iter().map(|(name, given)| match given {
        Given::Same(ty) => parameter(scope, name, ty),
        Given::Converted(_) => self::exact(scope, name, given),
    });
    let values = made.elements.iter().map(|(name, given)| match given {
        Given::Same(ty) => converted(scope, name, ty),
        Given::Converted(_) => {
            let name = identifier(name);
            quote!(#name)
        }
    });
    let implementations = implementations(scope, made, &exact);
    let own = made.parameters.iter().map(|name| identifier(name));
    quote! {
        #trait_doc
        #[diagnostic::on_unimplemented(message = #message #(#notes)*)]
        pub trait #name #parameters: #sized {
            #function_doc
            fn #function(#(#exact),*) -> Self;
        }
        #implementations
        #function_doc
        pub fn #function<Value: #name #parameters, #(#own),*>(#(#accepted),*) -> Value {
            Value::#function(#(#values),*)
        }
    }
}

/// For each element that is converted, into what.
fn conversions(made: &Constructor) -> Vec<String> {
    let elements = made.elements.iter().enumerate();
    let converted = elements.filter_map(|(place, (_, given))| match given {
        Given::Same(_) => None,
        Given::Converted(parameter) => Some((place, parameter)),
    });
    let note = |(place, parameter): (usize, &String)| {
        let mut names: Vec<String> = Vec::new();
        for constructed in &made.enums {
            if let Some(RustType::Item { name, .. }) = constructed.types.get(place) {
                let name = format!("`{name}`");
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        format!("`{parameter}` is what converts into {}", names.join(" or "))
    };
    converted.map(note).collect()
}

/// `name: Type`
fn exact(scope: &Scope<'_>, name: &str, given: &Given) -> TokenStream {
    let name = identifier(name);
    match given {
        Given::Same(ty) => {
            let ty = scope.ty(ty);
            quote!(#name: #ty)
        }
        Given::Converted(parameter) => {
            let parameter = identifier(parameter);
            quote!(#name: #parameter)
        }
    }
}

/// For each enum that has the clause, and for results of them.
fn implementations(scope: &Scope<'_>, made: &Constructor, exact: &[TokenStream]) -> TokenStream {
    let (function, name) = (identifier(&made.function), identifier(&made.trait_name));
    let parameters = angle_names(&made.parameters);
    let names: Vec<_> = made
        .elements
        .iter()
        .map(|(name, _)| identifier(name))
        .collect();
    let enums = made
        .enums
        .iter()
        .map(|constructed| implementation(scope, made, constructed, exact));
    let (result, ok) = (scope.standard("Result"), scope.standard("Ok"));
    let own = made.parameters.iter().map(|name| identifier(name));
    quote! {
        #(#enums)*
        impl<Value: #name #parameters, #(#own),*> #name #parameters for #result<Value, rt::Exit> {
            fn #function(#(#exact),*) -> Self { #ok(Value::#function(#(#names),*)) }
        }
    }
}

/// For one enum that has the clause.
fn implementation(
    scope: &Scope<'_>,
    made: &Constructor,
    constructed: &Constructed,
    exact: &[TokenStream],
) -> TokenStream {
    let (function, name) = (identifier(&made.function), identifier(&made.trait_name));
    let parameters = angle_names(&made.parameters);
    let enumeration = scope.local_item(&constructed.enumeration);
    let variant = identifier(&constructed.variant);
    let own = angle_names(&constructed.parameters);
    let mut generics: Vec<TokenStream> = constructed
        .parameters
        .iter()
        .map(|parameter| {
            let parameter = identifier(parameter);
            quote!(#parameter)
        })
        .collect();
    let mut values: Vec<TokenStream> = Vec::new();
    for ((name, given), ty) in made.elements.iter().zip(&constructed.types) {
        let name = identifier(name);
        match given {
            Given::Same(_) => values.push(quote!(#name)),
            Given::Converted(parameter) => {
                let (parameter, into) = (identifier(parameter), scope.standard("Into"));
                let ty = scope.ty(ty);
                generics.push(quote!(#parameter: #into<#ty>));
                values.push(quote!(#name.into()));
            }
        }
    }
    // What does not convert is told by the trait, which quotes the callbacks.
    let converts = generics.len() > constructed.parameters.len();
    let untold = converts.then(|| quote!(#[diagnostic::do_not_recommend]));
    let generics = angle(&generics);
    let values = fields(&values);
    quote! {
        #untold
        impl #generics #name #parameters for #enumeration #own {
            fn #function(#(#exact),*) -> Self { Self::#variant #values }
        }
    }
}

fn parameter(scope: &Scope<'_>, name: &str, ty: &RustType) -> TokenStream {
    let name = identifier(name);
    if scope.aliases.is_term(ty) {
        return quote!(#name: impl rt::ToTerm);
    }
    let written = scope.ty(ty);
    if is_enum(scope, ty) {
        let into = scope.standard("Into");
        return quote!(#name: impl #into<#written>);
    }
    quote!(#name: #written)
}

fn converted(scope: &Scope<'_>, name: &str, ty: &RustType) -> TokenStream {
    let name = identifier(name);
    if scope.aliases.is_term(ty) {
        quote!(rt::Term::of(&#name))
    } else if is_enum(scope, ty) {
        quote!(#name.into())
    } else {
        quote!(#name)
    }
}
