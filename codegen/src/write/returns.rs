//! Return types of callbacks: enums, and the traits whose messages quote the `-callback` form.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::parts::Parts;
use super::scope::{Scope, angle, angle_names, doc, identifier};
use crate::complete::{ReturnShape, ShapePart};
use crate::ir::{Callback, ClauseTerm, ReturnClause, Returns, Variant, VariantShape};
use crate::names::snake;

/// Returns the enum, if there is one, and the return trait of a callback.
pub(super) fn returns(scope: &Scope<'_>, callback: &Callback) -> TokenStream {
    let scope = &scope.with_parameters(&callback.return_parameters());
    match &callback.result.returns {
        Returns::AnyTerm => any_term(scope, callback),
        Returns::Type(ty) => {
            let value = scope.ty(ty);
            let declaration = trait_declaration(scope, callback, &value);
            let forms = scope.complete.shapes(callback).iter().map(|form| {
                let parts = Parts::new(scope, &[ty], &form.parts);
                implementation(
                    scope,
                    callback,
                    &value,
                    &parts,
                    &parts.first_type(),
                    &parts.first(&quote!(self)),
                )
            });
            let own = own_implementations(scope, callback, &value);
            quote!(#declaration #own #(#forms)*)
        }
        Returns::Clauses { name, clauses } => {
            let parameters = angle_names(&callback.return_parameters());
            let own = scope.local_item(name);
            let value = quote!(#own #parameters);
            let enumeration = enumeration(scope, callback, name, clauses);
            let declaration = trait_declaration(scope, callback, &value);
            let implementations = own_implementations(scope, callback, &value);
            let forms = scope.complete.shapes(callback).iter().filter_map(|form| {
                let ReturnClause { variant, .. } = clauses.get(form.clause)?;
                Some(clause_form(scope, callback, name, variant, form))
            });
            quote!(#enumeration #declaration #implementations #(#forms)*)
        }
    }
}

/// Returns the enum of all clauses.
fn enumeration(
    scope: &Scope<'_>,
    callback: &Callback,
    name: &str,
    clauses: &[ReturnClause],
) -> TokenStream {
    let qualified = callback.qualified(&scope.module.name);
    let doc = doc(&format!(
        "What `{qualified}` may return.\n\n`{}`",
        callback.form.erlang
    ));
    let (name, parameters) = (identifier(name), angle_names(&callback.return_parameters()));
    let declared = clauses.iter().map(|ReturnClause { variant, term, .. }| {
        let returned = of_clause(scope, term);
        let doc = self::doc(&format!("`{}`", variant.erlang));
        let types = variant.shape.types().into_iter().map(|ty| scope.ty(ty));
        let (name, fields) = (
            identifier(&variant.name),
            fields(&types.collect::<Vec<_>>()),
        );
        quote!(#doc #returned #name #fields)
    });
    let debug = scope.standard("Debug");
    let new_state = new_state(callback);
    quote! {
        #doc
        #[derive(#debug, rt::Returned)]
        #new_state
        pub enum #name #parameters { #(#declared),* }
    }
}

/// Returns the text behind a variant's name, which is empty for a variant without fields.
pub(super) fn fields(fields: &[TokenStream]) -> TokenStream {
    if fields.is_empty() {
        TokenStream::new()
    } else {
        quote!((#(#fields),*))
    }
}

/// Returns the name of the function that replaces the process's state, in the behaviour's terms:
/// `map_state`, or `map_data` of `gen_statem`, whose states are something else.
pub(super) fn map_name(callback: &Callback) -> Ident {
    identifier(&format!("map_{}", snake(&callback.parameters.state)))
}

/// Returns the trait, whose message quotes the form.
fn trait_declaration(scope: &Scope<'_>, callback: &Callback, value: &TokenStream) -> TokenStream {
    let qualified = callback.qualified(&scope.module.name);
    let message = format!("`{qualified}` cannot return `{{Self}}`");
    let label = format!("not a value that `{qualified}` may return");
    let note = escaped(&callback.form.erlang);
    let notes = callback.result.notes.iter().map(|note| escaped(note));
    let notes = notes.map(|note| quote!(, note = #note));
    let term = takes_term(scope, callback).then(|| quote!(, note = #TERM_NOTE));
    let doc = doc(&format!(
        "A value that `{qualified}` may return.\n\n`{}`",
        callback.form.erlang
    ));
    let (name, parameters) = (
        identifier(&callback.names.return_trait),
        angle_names(&callback.return_parameters()),
    );
    let (sized, result) = (scope.standard("Sized"), scope.standard("Result"));
    quote! {
        #doc
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note #(#notes)* #term)]
        pub trait #name #parameters: #sized {
            /// The value, or the reason to end the process with.
            fn into_return(self) -> #result<#value, rt::Exit>;
        }
    }
}

/// A note about values for `term()`.
const TERM_NOTE: &str = "a `term()` is a value of any type with `derive(Term)`";

/// Returns whether a clause has a position for any term.
fn takes_term(scope: &Scope<'_>, callback: &Callback) -> bool {
    let mut parts = scope
        .complete
        .shapes(callback)
        .iter()
        .flat_map(|form| &form.parts);
    parts.any(|part| matches!(part, ShapePart::AnyTerm(_)))
}

/// The result is any term. The run time's message describes that, for all callbacks alike.
fn any_term(scope: &Scope<'_>, callback: &Callback) -> TokenStream {
    let qualified = callback.qualified(&scope.module.name);
    let message = format!("`{qualified}` cannot return `{{Self}}`");
    let note = escaped(&callback.form.erlang);
    let doc = doc(&format!(
        "A value that `{qualified}` may return: any term.\n\n`{}`",
        callback.form.erlang
    ));
    let name = identifier(&callback.names.return_trait);
    let (sized, result) = (scope.standard("Sized"), scope.standard("Result"));
    quote! {
        #doc
        #[diagnostic::on_unimplemented(message = #message, label = "not a term", note = #note, note = #TERM_NOTE)]
        pub trait #name: #sized {
            /// The type of the value.
            type Value: rt::ToTerm;
            /// The value, or the reason to end the process with.
            fn into_return(self) -> #result<Self::Value, rt::Exit>;
        }
        #[diagnostic::do_not_recommend]
        impl<Value: rt::TermReturn> #name for Value {
            type Value = <Value as rt::TermReturn>::Value;
            fn into_return(self) -> #result<Self::Value, rt::Exit> {
                rt::TermReturn::into_value(self)
            }
        }
    }
}

/// Returns the implementations for the value itself, and for a result whose error ends the process.
fn own_implementations(scope: &Scope<'_>, callback: &Callback, value: &TokenStream) -> TokenStream {
    let (name, parameters) = (
        identifier(&callback.names.return_trait),
        angle_names(&callback.return_parameters()),
    );
    let (result, ok) = (scope.standard("Result"), scope.standard("Ok"));
    let more = callback.return_parameters();
    let returned = scope.with_parameters(&more).type_parameter("Value");
    let more = more.iter().map(|parameter| identifier(parameter));
    quote! {
        impl #parameters #name #parameters for #value {
            fn into_return(self) -> #result<#value, rt::Exit> { #ok(self) }
        }
        impl<#returned: #name #parameters, #(#more),*> #name #parameters for #result<#returned, rt::Exit> {
            fn into_return(self) -> #result<#value, rt::Exit> { self?.into_return() }
        }
    }
}

/// Returns one Erlang-shaped value of a clause.
fn clause_form(
    scope: &Scope<'_>,
    callback: &Callback,
    enumeration: &str,
    variant: &Variant,
    form: &ReturnShape,
) -> TokenStream {
    let parts = Parts::new(scope, &variant.shape.types(), &form.parts);
    let (own, target) = (scope.local_item(enumeration), identifier(&variant.name));
    let parameters = angle_names(&callback.return_parameters());
    let given = quote!(self);
    let types = &parts.types;
    let (ty, values) = match &variant.shape {
        VariantShape::Unit(atom) => (scope.atom(atom), Vec::new()),
        VariantShape::Tagged(tag, _) => {
            let atom = scope.atom(tag);
            (quote!((#atom, #(#types,)*)), parts.values(&given, 1))
        }
        VariantShape::Tuple(_) => (quote!((#(#types,)*)), parts.values(&given, 0)),
        VariantShape::Untagged(_) => (parts.first_type(), vec![parts.first(&given)]),
    };
    let values = fields(&values);
    let value = quote!(#own #parameters);
    let made = quote!(#own::#target #values);
    implementation(scope, callback, &value, &parts, &ty, &made)
}

fn implementation(
    scope: &Scope<'_>,
    callback: &Callback,
    value: &TokenStream,
    parts: &Parts,
    ty: &TokenStream,
    made: &TokenStream,
) -> TokenStream {
    let parameters = callback.return_parameters();
    let own = angle_names(&parameters);
    let all: Vec<TokenStream> = parameters
        .iter()
        .map(|parameter| {
            let parameter = identifier(parameter);
            quote!(#parameter)
        })
        .chain(parts.generics.iter().cloned())
        .collect();
    let (all, name) = (angle(&all), identifier(&callback.names.return_trait));
    let (result, ok) = (scope.standard("Result"), scope.standard("Ok"));
    // The trait itself then rejects types that do not convert, with a message that quotes the
    // callback.
    let quiet = parts.open.then(|| quote!(#[diagnostic::do_not_recommend]));
    quote! {
        #quiet
        impl #all #name #own for #ty {
            fn into_return(self) -> #result<#value, rt::Exit> { #ok(#made) }
        }
    }
}

/// Escapes text for `on_unimplemented`, in which braces enclose parameters.
pub(super) fn escaped(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// Returns `#[new_state(…)]` of the enum of a callback's clauses.
fn new_state(callback: &Callback) -> Option<TokenStream> {
    callback.result.makes_state.then(|| {
        let (state, map) = (identifier(&callback.parameters.state), map_name(callback));
        quote!(#[new_state(#state, #map)])
    })
}

/// Returns `#[returned(…)]` of a clause: the elements of its tuple, or the only part.
fn of_clause(scope: &Scope<'_>, clause: &ClauseTerm) -> TokenStream {
    match clause {
        ClauseTerm::Tuple(elements) if elements.len() > 1 => {
            let elements = elements.iter().map(|element| term(scope, element));
            quote!(#[returned(#(#elements),*)])
        }
        other => {
            let term = term(scope, other);
            quote!(#[returned(#term)])
        }
    }
}

fn term(scope: &Scope<'_>, term: &ClauseTerm) -> TokenStream {
    match term {
        ClauseTerm::State => quote!(state),
        ClauseTerm::Atom(atom) => scope.atom(atom),
        ClauseTerm::Value(place) => {
            let place = place.iter().map(|index| Literal::usize_unsuffixed(*index));
            quote!(self #(.#place)*)
        }
        ClauseTerm::Tuple(elements) => {
            let elements = elements.iter().map(|element| self::term(scope, element));
            quote!([#(#elements),*])
        }
    }
}
