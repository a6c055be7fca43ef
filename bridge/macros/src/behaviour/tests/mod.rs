//! Tests of a block's expansion and its errors.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Item, ItemImpl};

use super::{Input, expand, implement};

mod conditions;
mod methods;
mod modules;
mod refusals;

/// A shortened version of codegen's description of `gen_server`.
const DESCRIPTION: &str = r#"
    behaviour = gen_server; path = bridge::gen_server; umbrella = GenServer; started = bridge::gen_server::Server;
    callback init / 1 {
        method = init; callback_trait = Init; kind = init; required;
        arguments = [args Args]; erlang = "-callback init(Args) -> {ok, State}.";
    }
    callback handle_call / 3 {
        method = handle_call; callback_trait = HandleCall; kind = call; required; call; replies;
        arguments = [open Request, hidden From, state State];
        erlang = "-callback handle_call(Request, From, State) -> ….";
    }
    callback handle_call / 3 {
        method = handle_call_noreply; written = handle_call; callback_trait = HandleCallNoreply; kind = call;
        required; call;
        arguments = [open Request, caller From, state State];
        erlang = "-callback handle_call(Request, From, State) -> ….";
    }
    callback handle_cast / 2 {
        method = handle_cast; callback_trait = HandleCast; kind = cast; optional;
        arguments = [open Request, state State]; result = ["HandleCast", "noreply()"];
        erlang = "-callback handle_cast(Request, State) -> ….";
    }
    callback state_name / 2 {
        method = state_name; callback_trait = StateName; kind = event; optional; any_name;
        arguments = [discriminant EventType, open Content, state State];
        erlang = "-callback state_name(EventType, Content, State) -> ….";
    }
    callback terminate / 2 {
        method = terminate; callback_trait = Terminate; kind = end; optional;
        arguments = [open Reason, state State]; erlang = "-callback terminate(Reason, State) -> any().";
    }
"#;

/// Returns the macro's input for a block with these methods besides `init`.
fn input(methods: &str) -> String {
    format!(
        "{{ {DESCRIPTION} }} {{}} impl GenServer for Counter {{
            type Args = u64;
            fn init(start: u64) -> Init<Self> {{ (ok, Counter(start)) }}
            {methods}
        }}"
    )
}

fn expansion(methods: &str) -> Vec<Item> {
    let input: TokenStream = input(methods).parse().expect("tokens");
    syn::parse2::<syn::File>(implement(input))
        .expect("items")
        .items
}

/// Returns the implementations of this trait. Its path has to be spelled as in the expansion.
fn implementations(methods: &str, of: &str) -> Vec<ItemImpl> {
    let items = expansion(methods).into_iter();
    let blocks = items.filter_map(|item| match item {
        Item::Impl(block) => Some(block),
        _ => None,
    });
    let of = normal(of);
    blocks
        .filter(|block| {
            let path = block.trait_.as_ref().map(|(path, _)| path);
            path.is_some_and(|path| normal(path.to_token_stream()) == of)
        })
        .collect()
}

/// Returns Rust source in the layout of the printer.
fn normal(source: impl ToString) -> String {
    source.to_string().split_whitespace().collect()
}

/// Asserts that these methods become the implementation of the trait with this method.
#[track_caller]
fn assert_method(methods: &str, of: &str, expected: &str) {
    let path = format!("bridge::gen_server::callback::{of}");
    let blocks = implementations(methods, &path);
    let [block] = blocks.as_slice() else {
        panic!("{} implementations of {of}", blocks.len());
    };
    let method = block.items.last().expect("a method").to_token_stream();
    assert_eq!(normal(method), normal(expected));
}

/// Returns the message of the error, and the piece of source that it points at.
#[track_caller]
fn refusal(methods: &str) -> (String, String) {
    let input: Input = syn::parse_str(&input(methods)).expect("a block");
    let error = expand::expand(&input).expect_err("the macro refuses this");
    let place = error.span().source_text().unwrap_or_default();
    (place, error.to_string())
}
