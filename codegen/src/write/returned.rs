//! How a clause becomes a term: its atom and values, and the process's state at its place.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::returns::map_name;
use super::scope::{Scope, identifier};
use crate::ir::{Callback, ClauseTerm};

/// `#[new_state(…)]` of the enum of a callback's clauses.
pub(super) fn new_state(callback: &Callback) -> Option<TokenStream> {
    callback.result.makes_state.then(|| {
        let (state, map) = (identifier(&callback.parameters.state), map_name(callback));
        quote!(#[new_state(#state, #map)])
    })
}

/// `#[returned(…)]` of a clause: the elements of its tuple, or the only part.
pub(super) fn of_clause(scope: &Scope<'_>, clause: &ClauseTerm) -> TokenStream {
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
