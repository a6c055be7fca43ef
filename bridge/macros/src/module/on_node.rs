//! The module `on_node` beside the functions: each of them once more, called on another node.
//!
//! ```text
//! pub fn area(shape: &Shape) -> f64     pub fn area<'call>(cx: &'call Cx<'call>, node: impl Into<Atom>, shape: &Shape) -> OnNode<'call, f64>
//! ```

use otp_contract::rust::{KEYWORDS, snake_case};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Item, ItemMod, Type};

use super::function::{Function, FunctionArgument};
use super::run_time;

/// The module's name.
const ON_NODE: &str = "on_node";

/// The module. Nothing if the user's has one of that name.
pub(super) fn module(name: &str, module: &ItemMod, functions: &[Function]) -> TokenStream {
    let mut items = module.content.iter().flat_map(|(_, items)| items);
    let is_taken = |item: &Item| matches!(item, Item::Mod(item) if item.ident == ON_NODE);
    if items.any(is_taken) {
        return TokenStream::new();
    }
    let functions = functions.iter().map(|it| function(name, it));
    let own = format_ident!("{ON_NODE}");
    let doc =
        format!("The functions of `{name}`, called on another node that runs this application.");
    quote! {
        #[doc = #doc]
        #[allow(dead_code, trivial_bounds, unused_imports, clippy::pedantic, clippy::too_many_arguments)]
        pub mod #own {
            use super::*;
            #(#functions)*
        }
    }
}

fn function(module: &str, function: &Function) -> TokenStream {
    let rt = run_time();
    let (erlang, arity) = &function.erlang;
    let (name, conditions) = (&function.name, &function.conditions);
    let output = &function.output.ty;
    let names: Vec<Ident> = (0..).zip(&function.arguments).map(variable).collect();
    let types = function.arguments.iter().map(taken);
    let sent = function.arguments.iter().map(sent);
    let values = function.arguments.iter().zip(&names);
    let values = values.map(|(argument, name)| match &argument.unsized_as {
        Some(ty) => quote!(::core::convert::Into::<#ty>::into(#name)),
        None => quote!(#name),
    });
    let doc =
        format!("`{module}:{erlang}/{arity}` on another node, in a process of its own there.");
    quote! {
        #(#conditions)*
        #[doc = #doc]
        pub fn #name<'call>(
            cx: &'call ::otp_bridge::Cx<'call>,
            node: impl ::core::convert::Into<::otp_bridge::Atom>,
            #(#names: #types),*
        ) -> #rt::OnNode<'call, #output>
        where
            #(for<'remote> #sent: ::otp_bridge::ToTerm,)*
        {
            #rt::OnNode::new(
                cx,
                node.into(),
                (::otp_bridge::atom!(#module), ::otp_bridge::atom!(#erlang)),
                &(#(#values,)*),
            )
        }
    }
}

/// The argument as its function takes it. What has no size is given as what converts into the owned
/// type.
fn taken(argument: &FunctionArgument) -> TokenStream {
    if let Some(ty) = &argument.unsized_as {
        return quote!(impl ::core::convert::Into<#ty>);
    }
    let ty = &argument.ty;
    if argument.is_referred {
        quote!(&#ty)
    } else {
        quote!(#ty)
    }
}

/// The type of the term that is sent.
fn sent(argument: &FunctionArgument) -> &Type {
    argument.unsized_as.as_ref().unwrap_or(&argument.ty)
}

/// The argument's name in Rust.
fn variable((index, argument): (usize, &FunctionArgument)) -> Ident {
    let name = snake_case(&argument.name);
    let is_free = name != "cx" && name != "node" && !KEYWORDS.contains(&name.as_str());
    if is_free && syn::parse_str::<Ident>(&name).is_ok() {
        format_ident!("{name}")
    } else {
        format_ident!("argument{index}")
    }
}
