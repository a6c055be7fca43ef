//! What callbacks may return: enums, and the traits whose messages quote the `-callback` form.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::conversions::accepted_by;
use super::scope::{Scope, angle, angle_names, doc, identifier};
use super::types::variant;
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
                    &parts.first(),
                )
            });
            let own = own_implementations(scope, callback, &value);
            quote!(#declaration #own #(#forms)*)
        }
        Returns::Clauses { name, variants } => {
            let parameters = angle_names(&callback.return_parameters());
            let own = scope.own(name);
            let value = quote!(#own #parameters);
            let enumeration = enumeration(scope, callback, name, variants);
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
) -> TokenStream {
    let qualified = callback.qualified(&scope.module.name);
    let doc = doc(&format!(
        "What `{qualified}` may return.\n\n`{}`",
        callback.erlang
    ));
    let (name, parameters) = (identifier(name), angle_names(&callback.return_parameters()));
    let declared = variants.iter().map(|written| variant(scope, written));
    let debug = scope.standard("Debug");
    let map_state = callback
        .returns_state
        .then(|| map_state(scope, callback, &name, variants));
    quote! {
        #doc
        #[derive(#debug, ::otp_bridge::Term)]
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
) -> TokenStream {
    let parameters = callback.return_parameters();
    let own = angle_names(&parameters);
    let mut mapped = parameters.clone();
    mapped.retain(|parameter| parameter != "State");
    mapped.push("NewState".to_owned());
    let mapped = angle_names(&mapped);
    let arms = variants.iter().map(|variant| {
        let target = identifier(&variant.name);
        let types = variant.shape.types();
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
            .map(|(ty, name)| state_mapped(ty, &quote!(#name)));
        quote!(Self::#target(#(#names),*) => #name::#target(#(#values),*))
    });
    let once = scope.standard("FnOnce");
    quote! {
        impl #own #name #own {
            /// The same value with `map` applied to the state.
            pub fn map_state<NewState>(self, map: impl #once(State) -> NewState) -> #name #mapped {
                match self { #(#arms),* }
            }
        }
    }
}

/// `value` with `map` applied to the state in it. `lower` sees to it that a state is an element
/// of a clause, or of a tuple in one.
fn state_mapped(ty: &RustType, value: &TokenStream) -> TokenStream {
    match ty {
        RustType::Parameter(name) if name == "State" => quote!(map(#value)),
        RustType::Tuple(elements) if ty.mentions("State") => {
            let elements = elements.iter().enumerate().map(|(index, element)| {
                let index = Literal::usize_unsuffixed(index);
                state_mapped(element, &quote!(#value.#index))
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
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)]
        pub trait #name #parameters: #sized {
            /// The value, or the reason to end the process with.
            fn into_return(self) -> #result<#value, rt::Exit>;
        }
    }
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
        #[diagnostic::on_unimplemented(message = #message, label = "not a term", note = #note)]
        pub trait #name: #sized {
            /// The type of the value.
            type Value: rt::ToTerm;
            /// The value, or the reason to end the process with.
            fn into_return(self) -> #result<Self::Value, rt::Exit>;
        }
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
    let own = match &callback.returns {
        Returns::Clauses { name, .. } => scope.own(name),
        Returns::AnyTerm | Returns::Type(_) => TokenStream::new(),
    };
    let (ty, made) = match &variant.shape {
        Shape::Unit(atom) => (scope.atom(atom), quote!(#own::#target)),
        Shape::Tagged(tag, _) => {
            let (atom, types, values) = (scope.atom(tag), &parts.types, parts.values(1));
            (
                quote!((#atom, #(#types,)*)),
                quote!(#own::#target(#(#values),*)),
            )
        }
        Shape::Tuple(_) => {
            let (types, values) = (&parts.types, parts.values(0));
            (quote!((#(#types,)*)), quote!(#own::#target(#(#values),*)))
        }
        Shape::Untagged(_) => {
            let first = parts.first();
            (parts.first_type(), quote!(#own::#target(#first)))
        }
    };
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
    quote! {
        impl #all #name #own for #ty {
            fn into_return(self) -> #result<#value, rt::Exit> { #ok(#made) }
        }
    }
}

/// The parts of a form: their types, and how each becomes the clause's type.
struct Parts {
    generics: Vec<TokenStream>,
    types: Vec<TokenStream>,
    made: Vec<Made>,
}

enum Made {
    Same,
    Term,
    Into,
}

impl Parts {
    fn new(scope: &Scope<'_>, types: &[&RustType], parts: &[Part]) -> Self {
        let mut found = Parts {
            generics: Vec::new(),
            types: Vec::new(),
            made: Vec::new(),
        };
        let mut values = 0;
        for (ty, part) in types.iter().zip(parts) {
            let (ty, made) = match part {
                Part::Exact => (scope.ty(ty), Made::Same),
                Part::AnyTerm(name) => {
                    let name = identifier(name);
                    found.generics.push(quote!(#name: rt::ToTerm));
                    (quote!(#name), Made::Term)
                }
                Part::Converted { item, conversion } => {
                    let item = scope.module.items.iter().find(|known| known.name == *item);
                    let accepted =
                        item.and_then(|item| accepted_by(scope, item, *conversion, &mut values));
                    match accepted {
                        Some(accepted) => {
                            found.generics.extend(accepted.generics);
                            (accepted.ty, Made::Into)
                        }
                        None => (scope.ty(ty), Made::Same),
                    }
                }
            };
            found.types.push(ty);
            found.made.push(made);
        }
        found
    }

    /// The elements of a tuple `self`, from index `first`.
    fn values(&self, first: usize) -> Vec<TokenStream> {
        let value = |(index, made): (usize, &Made)| {
            let index = Literal::usize_unsuffixed(first + index);
            made.value(&quote!(self.#index))
        };
        self.made.iter().enumerate().map(value).collect()
    }

    /// `self` as the only part.
    fn first(&self) -> TokenStream {
        self.made
            .first()
            .map(|made| made.value(&quote!(self)))
            .unwrap_or_default()
    }

    fn first_type(&self) -> TokenStream {
        self.types.first().cloned().unwrap_or_default()
    }
}

impl Made {
    fn value(&self, value: &TokenStream) -> TokenStream {
        match self {
            Made::Same => value.clone(),
            Made::Term => quote!(rt::Term::of(&#value)),
            Made::Into => quote!(#value.into()),
        }
    }
}

/// Text in the format of `on_unimplemented`, where braces stand for parameters.
pub(super) fn escaped(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}
