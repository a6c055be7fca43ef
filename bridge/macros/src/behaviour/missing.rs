//! Callbacks and clauses that a block needs but does not have.

use otp_contract::behaviour::{Flag, REQUEST};
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::Ident;

use super::answer;
use super::block::Block;
use super::clause::ClauseMethod;
use super::description::{Callback, Description};

pub(super) fn errors(block: &Block<'_>) -> Vec<TokenStream> {
    let callbacks = block.clauses.iter().map(|(callback, _)| *callback);
    let absent = callbacks.filter_map(|callback| absent(block, callback));
    let absent: Vec<TokenStream> = absent.collect();
    if absent.is_empty() {
        some_functions_only(block).into_iter().collect()
    } else {
        absent
    }
}

/// Returns the error for a missing function, at the first of its callbacks. A block may have no
/// clauses for requests, because their senders know the clauses. All other messages can reach every
/// process.
fn absent(block: &Block<'_>, callback: &Callback) -> Option<TokenStream> {
    let is_there = |it: &(&Callback, Vec<ClauseMethod>)| !it.1.is_empty();
    let mut same = same_function(block, callback);
    let is_first = same
        .next()
        .is_some_and(|(first, _)| first.method == callback.method);
    if !callback.required
        || takes_request(callback)
        || !is_first
        || same_function(block, callback).any(is_there)
    {
        return None;
    }
    let span = block.umbrella.segments.last();
    let span = span.map_or_else(Span::call_site, |segment| segment.ident.span());
    let Some(answer) = &callback.answer else {
        let behaviour = block.description.behaviour.to_string();
        let message = format!("a callback that `{behaviour}` requires");
        return Some(missing(callback, &message, &block.type_name, span));
    };
    let has = |method: &Ident| block.has(method);
    match answer::atoms(answer, has) {
        Err(wrong) => Some(wrong.error(callback, &block.type_name, span)),
        Ok(atoms) => {
            let of_mode = answer.one_of.iter().find(|(atom, _)| *atom == atoms[0]);
            let (_, methods) = of_mode?;
            let beside: Vec<&Ident> = answer.also.iter().flat_map(|(_, them)| them).collect();
            let first = methods.iter().find(|method| !beside.contains(method))?;
            let alone = methods.iter().all(|it| !has(it) || beside.contains(&it));
            let event = callback_of(block.description, first)?;
            let message = format!("only `{}`", text_of(methods, &beside));
            alone.then(|| missing(event, &message, &block.type_name, span))
        }
    }
}

/// Returns the names of the methods that are beside others.
fn text_of(methods: &[Ident], beside: &[&Ident]) -> String {
    let names = methods.iter().filter(|it| beside.contains(it));
    let names: Vec<String> = names.map(ToString::to_string).collect();
    names.join("`, `")
}

/// Returns whether the callback handles a client's request.
fn takes_request(callback: &Callback) -> bool {
    let mut open = callback.arguments.iter().filter(|it| it.role.is_open());
    open.any(|argument| argument.name == REQUEST)
}

/// Returns the callbacks of the same function, with their clauses.
fn same_function<'b>(
    block: &'b Block<'_>,
    callback: &'b Callback,
) -> impl Iterator<Item = &'b (&'b Callback, Vec<ClauseMethod>)> {
    let clauses = block.clauses.iter();
    clauses.filter(move |(other, _)| (&other.name, other.arity) == (&callback.name, callback.arity))
}

fn callback_of<'d>(description: &'d Description, method: &Ident) -> Option<&'d Callback> {
    let mut callbacks = description.callbacks.iter();
    callbacks.find(|callback| callback.method == *method)
}

/// Returns the error for functions of any name, such as those of states, if some of them have a
/// clause that others lack, and OTP calls this clause in each of them. An example is the clause for
/// the enter call of a state.
fn some_functions_only(block: &Block<'_>) -> Option<TokenStream> {
    let answers = block.description.callbacks.iter();
    let answers = answers.filter_map(|callback| callback.answer.as_ref());
    let mut beside = answers
        .flat_map(|answer| &answer.also)
        .flat_map(|(_, them)| them);
    beside.find_map(|method| {
        let (callback, clauses) = block.clauses.iter().find(|(it, _)| it.method == *method)?;
        if clauses.is_empty() || !callback.has(Flag::AnyName) {
            return None;
        }
        let have = |name: &str| clauses.iter().any(|it| it.function.as_deref() == Some(name));
        let all = block.clauses.iter().flat_map(|(_, clauses)| clauses);
        let without = all.filter(|it| it.function.as_deref().is_some_and(|name| !have(name)));
        let without: Vec<&ClauseMethod> = without.collect();
        let span = without.first()?.name_span;
        let mut names: Vec<&str> = Vec::new();
        for name in without.iter().filter_map(|clause| clause.function.as_deref()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let (attribute, erlang) = (&callback.written, &callback.erlang);
        let message = format!(
            "`{}` has no clause under `#[{attribute}]`: if one function has it, it is called in all of them\n\n{erlang}",
            names.join("`, `"),
        );
        Some(quote_spanned!(span=> ::core::compile_error!(#message);))
    })
}

/// Returns the `compile_error!` for a missing callback.
fn missing(callback: &Callback, what: &str, type_name: &str, span: Span) -> TokenStream {
    let message = format!(
        "`{type_name}` has no `{}`, {what}\n\n{}",
        callback.label(),
        callback.erlang
    );
    quote_spanned!(span=> ::core::compile_error!(#message);)
}
