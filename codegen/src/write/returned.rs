//! How a clause becomes a term: its atom and values, and the process's state at its place.

use std::collections::BTreeSet;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::returns::fields;
use super::scope::{Scope, angle, angle_names, identifier};
use crate::ir::{Callback, Clause, ClauseTerm};

/// The implementation of the run time's `Returned` for the enum `name` of a callback's clauses.
pub(super) fn returned(
    scope: &Scope<'_>,
    callback: &Callback,
    name: &str,
    clauses: &[Clause],
) -> TokenStream {
    let name = identifier(name);
    let parameters = callback.return_parameters();
    let bounded = parameters.iter().map(|parameter| {
        let bound = (*parameter != callback.parameters.state).then(|| quote!(: rt::ToTerm));
        let parameter = identifier(parameter);
        quote!(#parameter #bound)
    });
    let bounded = angle(&bounded.collect::<Vec<_>>());
    let parameters = angle_names(&parameters);
    let (heap, state) = arguments(clauses);
    let arms = clauses.iter().map(|clause| arm(scope, clause));
    quote! {
        impl #bounded rt::Returned for #name #parameters {
            fn to_term<H: rt::Heap>(&self, #heap: H, #state: H::Term) -> H::Term {
                match self { #(#arms),* }
            }
        }
    }
}

/// The names of the arguments; `_` for one that no clause needs.
fn arguments(clauses: &[Clause]) -> (TokenStream, TokenStream) {
    let any = |wanted: fn(&ClauseTerm) -> bool| clauses.iter().any(|clause| wanted(&clause.term));
    let heap = any(|term| *term != ClauseTerm::State);
    let state = any(holds_state);
    let named = |needed: bool, name: TokenStream| if needed { name } else { quote!(_) };
    (named(heap, quote!(heap)), named(state, quote!(state)))
}

fn holds_state(term: &ClauseTerm) -> bool {
    match term {
        ClauseTerm::State => true,
        ClauseTerm::Atom(_) | ClauseTerm::Value(_) => false,
        ClauseTerm::Tuple(elements) => elements.iter().any(holds_state),
    }
}

/// A clause and its term.
fn arm(scope: &Scope<'_>, clause: &Clause) -> TokenStream {
    let variant = identifier(&clause.variant.name);
    let mut read = BTreeSet::new();
    fields_read(&clause.term, &mut read);
    let count = clause.variant.shape.types().len();
    let pattern = (0..count).map(|field| {
        let name = element(field);
        if read.contains(&field) {
            name
        } else {
            quote!(_)
        }
    });
    let pattern = fields(&pattern.collect::<Vec<_>>());
    let term = term(scope, &clause.term);
    quote!(Self::#variant #pattern => #term)
}

fn element(field: usize) -> TokenStream {
    let name = identifier(&format!("element{}", field + 1));
    quote!(#name)
}

/// The fields of the variant whose values are in the term.
fn fields_read(term: &ClauseTerm, found: &mut BTreeSet<usize>) {
    match term {
        ClauseTerm::State | ClauseTerm::Atom(_) => {}
        ClauseTerm::Value(place) => found.extend(place.first()),
        ClauseTerm::Tuple(elements) => elements.iter().for_each(|one| fields_read(one, found)),
    }
}

fn term(scope: &Scope<'_>, term: &ClauseTerm) -> TokenStream {
    match term {
        ClauseTerm::State => quote!(state),
        ClauseTerm::Atom(atom) => {
            let atom = scope.atom(atom);
            quote!(rt::ToTerm::to_term(&#atom, heap))
        }
        ClauseTerm::Value(place) => {
            let value = value(place);
            quote!(rt::ToTerm::to_term(#value, heap))
        }
        ClauseTerm::Tuple(elements) => {
            let elements = elements.iter().map(|element| self::term(scope, element));
            quote!(heap.tuple([#(#elements),*]))
        }
    }
}

/// A reference to the value: the field is one already.
fn value(place: &[usize]) -> TokenStream {
    let Some((field, inner)) = place.split_first() else {
        return TokenStream::new();
    };
    let field = element(*field);
    if inner.is_empty() {
        return field;
    }
    let inner = inner.iter().map(|index| Literal::usize_unsuffixed(*index));
    quote!(&#field #(.#inner)*)
}
