//! The parts of a value that a callback may return.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::conversions::accepted_by;
use super::scope::{Scope, identifier};
use crate::complete::ShapePart;
use crate::ir::RustType;

/// The parts of a form: their types, and the conversion of each to the clause's type.
pub(super) struct Parts {
    pub(super) generics: Vec<TokenStream>,
    pub(super) types: Vec<TokenStream>,
    made: Vec<Made>,
    /// Whether a part may be any type that converts.
    pub(super) open: bool,
}

enum Made {
    Same,
    Term,
    Into,
    Supervisor,
}

impl Parts {
    pub(super) fn new(scope: &Scope<'_>, types: &[&RustType], parts: &[ShapePart]) -> Self {
        let mut found = Parts {
            generics: Vec::new(),
            types: Vec::new(),
            made: Vec::new(),
            open: false,
        };
        let mut values = 0;
        for (ty, part) in types.iter().zip(parts) {
            let (ty, made) = match part {
                ShapePart::Exact => (scope.ty(ty), Made::Same),
                ShapePart::AnyTerm(name) => {
                    let name = identifier(name);
                    found.generics.push(quote!(#name: rt::ToTerm));
                    found.open = true;
                    (quote!(#name), Made::Term)
                }
                ShapePart::Supervisor(name) => {
                    let name = identifier(name);
                    // Not `open`: the trait's own message describes the mistake.
                    found.generics.push(quote!(#name: rt::RootSupervisor));
                    (quote!(#name), Made::Supervisor)
                }
                ShapePart::Into(name) => {
                    let (name, ty, into) = (identifier(name), scope.ty(ty), scope.standard("Into"));
                    found.generics.push(quote!(#name: #into<#ty>));
                    found.open = true;
                    (quote!(#name), Made::Into)
                }
                ShapePart::Converted { item, conversion } => {
                    let item = scope.complete.item(item);
                    let accepted =
                        item.and_then(|item| accepted_by(scope, item, *conversion, &mut values));
                    match accepted {
                        Some(accepted) => {
                            found.open |= !accepted.generics.is_empty();
                            let generics = accepted.generics.iter();
                            found
                                .generics
                                .extend(generics.map(|generic| generic.bounded(scope)));
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

    /// Returns the elements of the tuple `given`, from index `first`.
    pub(super) fn values(&self, given: &TokenStream, first: usize) -> Vec<TokenStream> {
        let value = |(index, made): (usize, &Made)| {
            let index = Literal::usize_unsuffixed(first + index);
            made.value(&quote!(#given.#index))
        };
        self.made.iter().enumerate().map(value).collect()
    }

    /// Returns `given` as the only part.
    pub(super) fn first(&self, given: &TokenStream) -> TokenStream {
        self.made
            .first()
            .map(|made| made.value(given))
            .unwrap_or_default()
    }

    pub(super) fn first_type(&self) -> TokenStream {
        self.types.first().cloned().unwrap_or_default()
    }
}

impl Made {
    fn value(&self, value: &TokenStream) -> TokenStream {
        match self {
            Made::Same => value.clone(),
            Made::Term => quote!(rt::Term::of(&#value)),
            Made::Into => quote!(#value.into()),
            Made::Supervisor => quote!(rt::RootSupervisor::process(#value)?),
        }
    }
}
