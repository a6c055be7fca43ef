//! Facts about a callback, as fields of a constant.

use otp_contract::callback::CallbackFacts;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::scope::identifier;
use crate::ir::FunctionFacts;
use crate::names::camel;

/// `facts: …, keeps: …, replies: …`
pub(super) fn fields(known: &FunctionFacts) -> TokenStream {
    let FunctionFacts {
        facts,
        keeps,
        replies,
    } = known;
    let facts = of_arguments(facts);
    let keeps = match keeps {
        Some(tag) => quote!(Some(#tag)),
        None => quote!(None),
    };
    let replies = replies.iter().map(|reply| {
        let [size, index] = [reply.size, reply.index].map(Literal::usize_unsuffixed);
        let tag = &reply.tag;
        quote!(rt::ReplyPosition { tag: #tag, size: #size, index: #index })
    });
    quote!(facts: #facts, keeps: #keeps, replies: &[#(#replies),*])
}

/// Returns the kind, and only those arguments that exist.
fn of_arguments(facts: &CallbackFacts) -> TokenStream {
    let CallbackFacts {
        kind,
        message,
        event_type,
        caller,
        state,
        chosen,
        has_error,
    } = *facts;
    let name = identifier(&camel(kind.as_str()));
    let positions = [
        ("message", message),
        ("event_type", event_type),
        ("caller", caller),
        ("state", state),
        ("chosen", chosen),
    ];
    let positions = positions.into_iter().filter_map(|(field, position)| {
        let (field, position) = (identifier(field), Literal::usize_unsuffixed(position?));
        Some(quote!(#field: Some(#position),))
    });
    let has_error = has_error.then(|| quote!(has_error: true,));
    let fields: TokenStream = positions.chain(has_error).collect();
    let kind = quote!(rt::CallbackKind::#name);
    if fields.is_empty() {
        quote!(rt::CallbackFacts::of(#kind))
    } else {
        quote!(rt::CallbackFacts { #fields ..rt::CallbackFacts::of(#kind) })
    }
}
