//! The module `on_node` beside the functions: it has a variant of each function that is called on
//! another node.
//!
//! ```text
//! pub fn area(shape: &Shape) -> f64     pub fn area<'call>(cx: &'call Cx<'call>, node: impl Into<Atom>, shape: &Shape) -> OnNode<'call, f64>
//! ```
//!
//! The module is one level deeper than the functions, so a path that starts with `self` or `super`
//! gets another `super`.

use std::collections::BTreeSet;

use otp_contract::rust::{KEYWORDS, snake_case};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{ExprPath, Item, ItemMod, Path, PathSegment, QSelf, Type, TypePath};

use super::function::{Function, FunctionArgument};
use super::run_time;

/// The module's name.
const ON_NODE: &str = "on_node";

/// Returns the module, or nothing if the user's module already has one with this name.
pub(super) fn module(name: &str, module: &ItemMod, functions: &[Function]) -> TokenStream {
    let mut items = module.content.iter().flat_map(|(_, items)| items);
    let is_taken = |item: &Item| matches!(item, Item::Mod(item) if item.ident == ON_NODE);
    if items.any(is_taken) {
        return TokenStream::new();
    }
    let not_atoms = not_atoms(functions);
    let functions = functions.iter().map(|it| function(name, it));
    let own = format_ident!("{ON_NODE}");
    let doc =
        format!("The functions of `{name}`, called on another node that runs this application.");
    quote! {
        #[doc = #doc]
        #[allow(dead_code, trivial_bounds, unused_imports, clippy::pedantic, clippy::too_many_arguments)]
        pub mod #own {
            use super::*;
            #not_atoms
            #(#functions)*
        }
    }
}

/// Returns a function for each name of a parameter. The names of parameters appear in the
/// documentation, so they cannot be made unique. An atom of the module may have such a name: it is
/// a unit struct, and a parameter cannot have the name of a unit struct in scope. A function with
/// the name shadows the struct, and does not prevent the parameter.
fn not_atoms(functions: &[Function]) -> TokenStream {
    let arguments = functions.iter().flat_map(|it| (0..).zip(&it.arguments));
    let own = ["cx", "node"].map(|name| format_ident!("{name}"));
    let mut names: BTreeSet<Ident> = arguments.map(variable).chain(own).collect();
    for function in functions {
        names.remove(&function.name);
    }
    let names = names.iter();
    quote!(#(fn #names() {})*)
}

fn function(module: &str, function: &Function) -> TokenStream {
    let rt = run_time();
    let (erlang, arity) = &function.erlang;
    let (name, conditions) = (&function.name, &function.conditions);
    let output = one_deeper(&function.output.ty);
    let names: Vec<Ident> = (0..).zip(&function.arguments).map(variable).collect();
    let types = function.arguments.iter().map(taken);
    let sent = function.arguments.iter().map(sent);
    let values = function.arguments.iter().zip(&names);
    let values =
        values.map(
            |(argument, name)| match argument.unsized_as.as_ref().map(one_deeper) {
                Some(ty) => quote!(::core::convert::Into::<#ty>::into(#name)),
                None => quote!(#name),
            },
        );
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
                ::core::convert::Into::into(node),
                (::otp_bridge::atom!(#module), ::otp_bridge::atom!(#erlang)),
                &(#(#values,)*),
            )
        }
    }
}

/// Returns the parameter for an argument. For a type without a size, the parameter is a value that
/// converts into the owned type.
fn taken(argument: &FunctionArgument) -> TokenStream {
    if let Some(ty) = argument.unsized_as.as_ref().map(one_deeper) {
        return quote!(impl ::core::convert::Into<#ty>);
    }
    let ty = one_deeper(&argument.ty);
    if argument.is_referred {
        quote!(&#ty)
    } else {
        quote!(#ty)
    }
}

/// Returns the type of the term that is sent.
fn sent(argument: &FunctionArgument) -> Type {
    one_deeper(argument.unsized_as.as_ref().unwrap_or(&argument.ty))
}

/// Returns a type of the functions' module, as it is written in a submodule.
fn one_deeper(ty: &impl ToTokens) -> Type {
    let tokens = ty.to_token_stream();
    let Ok(mut ty) = syn::parse2(tokens.clone()) else {
        return Type::Verbatim(tokens);
    };
    OneDeeper.visit_type_mut(&mut ty);
    ty
}

struct OneDeeper;

impl VisitMut for OneDeeper {
    fn visit_path_mut(&mut self, path: &mut Path) {
        visit_mut::visit_path_mut(self, path);
        deepen(path);
    }

    fn visit_type_path_mut(&mut self, ty: &mut TypePath) {
        qualified(self, &mut ty.qself, &mut ty.path);
    }

    fn visit_expr_path_mut(&mut self, expression: &mut ExprPath) {
        qualified(self, &mut expression.qself, &mut expression.path);
    }
}

/// Handles `<Type as Trait>::Item`, or a path without a type in front.
fn qualified(visitor: &mut OneDeeper, own: &mut Option<QSelf>, path: &mut Path) {
    visit_mut::visit_path_mut(visitor, path);
    let is_longer = deepen(path);
    if let Some(own) = own {
        visitor.visit_type_mut(&mut own.ty);
        own.position += usize::from(is_longer && own.position > 0);
    }
}

/// Makes a path that starts with `self` or `super` start one level higher. Returns whether it has
/// one more segment now.
fn deepen(path: &mut Path) -> bool {
    let parent = |span| PathSegment::from(Ident::new("super", span));
    let Some(first) = path
        .segments
        .first_mut()
        .filter(|_| path.leading_colon.is_none())
    else {
        return false;
    };
    if first.ident == "self" {
        *first = parent(first.ident.span());
        return false;
    }
    let is_longer = first.ident == "super";
    if is_longer {
        let first = parent(first.ident.span());
        path.segments.insert(0, first);
    }
    is_longer
}

/// Returns the argument's name in Rust.
fn variable((index, argument): (usize, &FunctionArgument)) -> Ident {
    let name = snake_case(&argument.name);
    let is_free = name != "cx" && name != "node" && !KEYWORDS.contains(&name.as_str());
    if is_free && syn::parse_str::<Ident>(&name).is_ok() {
        format_ident!("{name}")
    } else {
        format_ident!("argument{index}")
    }
}
