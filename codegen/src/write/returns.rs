//! What callbacks may return: enums, and the traits whose messages quote the `-callback` form.

use std::collections::BTreeSet;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::parts::Parts;
use super::scope::{Scope, angle, angle_names, doc, identifier};
use super::types::variant_with;
use crate::ir::{Callback, Form, Part, Returns, RustType, Shape, Variant};

/// The enum, if there is one, and the return trait of a callback.
pub(super) fn returns(scope: &Scope<'_>, callback: &Callback) -> TokenStream {
    let scope = &scope.with_parameters(&callback.return_parameters());
    match &callback.returns {
        Returns::AnyTerm => any_term(scope, callback),
        Returns::Type(ty) => {
            let value = scope.ty(ty);
            let declaration = trait_declaration(scope, callback, &value);
            let forms = callback.forms.iter().map(|form| {
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
        Returns::Clauses {
            name,
            variants,
            kept,
        } => {
            let parameters = angle_names(&callback.return_parameters());
            let own = scope.own(name);
            let value = quote!(#own #parameters);
            let enumeration = enumeration(scope, callback, name, variants, kept);
            let declaration = trait_declaration(scope, callback, &value);
            let implementations = own_implementations(scope, callback, &value);
            let forms = callback.forms.iter().filter_map(|form| {
                let variant = variants.get(form.variant)?;
                Some(clause_form(scope, callback, &value, variant, form))
            });
            quote!(#enumeration #declaration #implementations #(#forms)*)
        }
    }
}

/// The enum of all clauses.
fn enumeration(
    scope: &Scope<'_>,
    callback: &Callback,
    name: &str,
    variants: &[Variant],
    kept: &BTreeSet<usize>,
) -> TokenStream {
    let qualified = callback.qualified(&scope.module.name);
    let doc = doc(&format!(
        "What `{qualified}` may return.\n\n`{}`",
        callback.erlang
    ));
    let (name, parameters) = (identifier(name), angle_names(&callback.return_parameters()));
    let own = scope.ty(&RustType::Parameter(callback.own.clone()));
    let declared = variants.iter().enumerate().map(|(index, written)| {
        let beside = kept.contains(&index).then_some(&own);
        variant_with(scope, written, beside)
    });
    let debug = scope.standard("Debug");
    let map_state = callback
        .returns_state
        .then(|| map_state(scope, callback, &name, variants, kept));
    quote! {
        #doc
        #[derive(#debug, ::otp_bridge::ToTerm)]
        pub enum #name #parameters { #(#declared),* }
        #map_state
    }
}

/// The same value with another state.
fn map_state(
    scope: &Scope<'_>,
    callback: &Callback,
    name: &proc_macro2::Ident,
    variants: &[Variant],
    kept: &BTreeSet<usize>,
) -> TokenStream {
    let parameters = callback.return_parameters();
    let own = angle_names(&parameters);
    let state = identifier(&callback.own);
    let mut mapped = parameters.clone();
    mapped.retain(|parameter| *parameter != callback.own);
    let other = format!("New{}", callback.own);
    mapped.push(other.clone());
    let other = identifier(&other);
    let mapped = angle_names(&mapped);
    let state_type = RustType::Parameter(callback.own.clone());
    let arms = variants.iter().enumerate().map(|(index, variant)| {
        let target = identifier(&variant.name);
        let mut types = variant.shape.types();
        if kept.contains(&index) {
            types.push(&state_type);
        }
        if types.is_empty() {
            let braces = matches!(variant.shape, Shape::Tagged(..)).then(|| quote!(()));
            return quote!(Self::#target #braces => #name::#target #braces);
        }
        let names: Vec<_> = (1..=types.len())
            .map(|i| identifier(&format!("element{i}")))
            .collect();
        let values = types
            .iter()
            .zip(&names)
            .map(|(ty, name)| state_mapped(ty, &callback.own, &quote!(#name)));
        quote!(Self::#target(#(#names),*) => #name::#target(#(#values),*))
    });
    let once = scope.standard("FnOnce");
    quote! {
        impl #own #name #own {
            /// The same value with `map` applied to the state.
            pub fn map_state<#other>(self, map: impl #once(#state) -> #other) -> #name #mapped {
                match self { #(#arms),* }
            }
        }
    }
}

/// `value` with `map` applied to the state in it. `lower` sees to it that a state is an element
/// of a clause, or of a tuple in one.
fn state_mapped(ty: &RustType, own: &str, value: &TokenStream) -> TokenStream {
    match ty {
        RustType::Parameter(name) if name == own => quote!(map(#value)),
        RustType::Tuple(elements) if ty.mentions(own) => {
            let elements = elements.iter().enumerate().map(|(index, element)| {
                let index = Literal::usize_unsuffixed(index);
                state_mapped(element, own, &quote!(#value.#index))
            });
            quote!((#(#elements,)*))
        }
        _ => value.clone(),
    }
}

/// The trait, whose message quotes the form.
fn trait_declaration(scope: &Scope<'_>, callback: &Callback, value: &TokenStream) -> TokenStream {
    let qualified = callback.qualified(&scope.module.name);
    let message = format!("`{qualified}` cannot return `{{Self}}`");
    let label = format!("not a value that `{qualified}` may return");
    let note = escaped(&callback.erlang);
    let keeping = keeping_note(callback).map(|note| quote!(, note = #note));
    let term = takes_term(callback).then(|| quote!(, note = #TERM_NOTE));
    let doc = doc(&format!(
        "A value that `{qualified}` may return.\n\n`{}`",
        callback.erlang
    ));
    let (name, parameters) = (
        identifier(&callback.return_trait),
        angle_names(&callback.return_parameters()),
    );
    let (sized, result) = (scope.standard("Sized"), scope.standard("Result"));
    quote! {
        #doc
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note #keeping #term)]
        pub trait #name #parameters: #sized {
            /// The value, or the reason to end the process with.
            fn into_return(self) -> #result<#value, rt::Exit>;
        }
    }
}

/// What may stand for `term()`.
const TERM_NOTE: &str = "a `term()` is a value of any type with `derive(Term)`";

/// Whether a clause has a place for any term.
fn takes_term(callback: &Callback) -> bool {
    let mut parts = callback.forms.iter().flat_map(|form| &form.parts);
    parts.any(|part| matches!(part, Part::AnyTerm(_)))
}

/// How a clause is returned that leaves the state as it is, where there are such.
fn keeping_note(callback: &Callback) -> Option<String> {
    let Returns::Clauses { variants, kept, .. } = &callback.returns else {
        return None;
    };
    let clause = &variants.get(*kept.first()?)?.erlang;
    let text = format!(
        "a clause that leaves `{own}` as it is takes it beside: `Keeping({clause}, {own})`",
        own = callback.own
    );
    Some(escaped(&text))
}

/// The result is any term: what that is the run time says, for all callbacks alike.
fn any_term(scope: &Scope<'_>, callback: &Callback) -> TokenStream {
    let qualified = callback.qualified(&scope.module.name);
    let message = format!("`{qualified}` cannot return `{{Self}}`");
    let note = escaped(&callback.erlang);
    let doc = doc(&format!(
        "A value that `{qualified}` may return: any term.\n\n`{}`",
        callback.erlang
    ));
    let name = identifier(&callback.return_trait);
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

/// For the value itself, and for a result whose error ends the process.
fn own_implementations(scope: &Scope<'_>, callback: &Callback, value: &TokenStream) -> TokenStream {
    let (name, parameters) = (
        identifier(&callback.return_trait),
        angle_names(&callback.return_parameters()),
    );
    let (result, ok) = (scope.standard("Result"), scope.standard("Ok"));
    let more = callback.return_parameters();
    let more = more.iter().map(|parameter| identifier(parameter));
    quote! {
        impl #parameters #name #parameters for #value {
            fn into_return(self) -> #result<#value, rt::Exit> { #ok(self) }
        }
        impl<Value: #name #parameters, #(#more),*> #name #parameters for #result<Value, rt::Exit> {
            fn into_return(self) -> #result<#value, rt::Exit> { self?.into_return() }
        }
    }
}

/// One Erlang-shaped value of a clause.
fn clause_form(
    scope: &Scope<'_>,
    callback: &Callback,
    value: &TokenStream,
    variant: &Variant,
    form: &Form,
) -> TokenStream {
    let parts = Parts::new(scope, &variant.shape.types(), &form.parts);
    let target = identifier(&variant.name);
    let (own, keeps) = match &callback.returns {
        Returns::Clauses { name, kept, .. } => (scope.own(name), kept.contains(&form.variant)),
        Returns::AnyTerm | Returns::Type(_) => (TokenStream::new(), false),
    };
    let (given, beside) = if keeps {
        (quote!(self.0), Some(quote!(self.1)))
    } else {
        (quote!(self), None)
    };
    let types = &parts.types;
    let (ty, mut values) = match &variant.shape {
        Shape::Unit(atom) => (scope.atom(atom), Vec::new()),
        Shape::Tagged(tag, _) => {
            let atom = scope.atom(tag);
            (quote!((#atom, #(#types,)*)), parts.values(&given, 1))
        }
        Shape::Tuple(_) => (quote!((#(#types,)*)), parts.values(&given, 0)),
        Shape::Untagged(_) => (parts.first_type(), vec![parts.first(&given)]),
    };
    values.extend(beside);
    let ty = if keeps {
        let state = scope.ty(&RustType::Parameter(callback.own.clone()));
        quote!(rt::Keeping<#ty, #state>)
    } else {
        ty
    };
    let values = match (&variant.shape, values.as_slice()) {
        (Shape::Unit(_), []) => TokenStream::new(),
        (_, values) => quote!((#(#values),*)),
    };
    let made = quote!(#own::#target #values);
    implementation(scope, callback, value, &parts, &ty, &made)
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
    let (all, name) = (angle(&all), identifier(&callback.return_trait));
    let (result, ok) = (scope.standard("Result"), scope.standard("Ok"));
    // What does not convert is then refused by the trait, whose message quotes the callback.
    let quiet = parts.open.then(|| quote!(#[diagnostic::do_not_recommend]));
    quote! {
        #quiet
        impl #all #name #own for #ty {
            fn into_return(self) -> #result<#value, rt::Exit> { #ok(#made) }
        }
    }
}

/// Text in the format of `on_unimplemented`, where braces stand for parameters.
pub(super) fn escaped(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}
