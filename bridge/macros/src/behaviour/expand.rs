//! From a checked block to Rust.

use proc_macro2::TokenStream;
use quote::quote;

use super::block::Block;
use super::clause::{Clause, generics};
use super::description::Callback;
use super::{Input, named, registry};

pub(super) fn expand(input: &Input) -> syn::Result<TokenStream> {
    let block = Block::new(input)?;
    let module_name = module_name(input, &block);
    let module = module_implementation(&block, &module_name);
    let umbrella = umbrella_implementation(&block);
    let implementations = |any_name: bool| -> Vec<TokenStream> {
        let callbacks = block.clauses.iter();
        let callbacks = callbacks.filter(|(callback, _)| callback.any_name == any_name);
        let clauses = callbacks.flat_map(|(callback, clauses)| {
            clauses
                .iter()
                .map(|clause| callback_implementation(&block, callback, clause))
        });
        clauses.collect()
    };
    let (callbacks, named) = (implementations(false), implementations(true));
    let absent: Vec<TokenStream> = block
        .clauses
        .iter()
        .filter_map(|it| block.absent(it))
        .collect();
    let entry = if absent.is_empty() {
        registry::entry(&block, &module_name)
    } else {
        TokenStream::new()
    };
    let markers = named::markers(block.functions_of_any_name());
    let accepts = accepts(&block);
    let started = started(&block);
    Ok(quote! {
        #(#absent)* #module #started #umbrella #accepts #(#callbacks)*
        const _: () = {
            #markers
            #(#named)*
            #entry
        };
    })
}

/// What a block with a wrong callback still is: a module that can be started. So the mistake is
/// reported, and not every place that names the module.
pub(super) fn stand_in(input: &Input) -> TokenStream {
    let Ok(block) = Block::without_clauses(input) else {
        return TokenStream::new();
    };
    let module = module_implementation(&block, &module_name(input, &block));
    let (umbrella, started) = (umbrella_implementation(&block), started(&block));
    quote!(#module #started #umbrella)
}

fn module_name(input: &Input, block: &Block<'_>) -> String {
    match &input.options.module {
        Some(name) => name.value(),
        None => crate::names::snake_case(&block.type_name),
    }
}

fn module_implementation(block: &Block<'_>, name: &str) -> TokenStream {
    let (self_type, path) = (block.self_type, &block.description.path);
    let umbrella = &block.description.umbrella;
    let args = match block.description.start_argument() {
        Some(name) => quote!(<#self_type as #path::#umbrella>::#name),
        None => quote!(()),
    };
    let describe = block.description.has_state().then(|| {
        quote! {
            fn describe_state(&self) -> ::core::option::Option<::std::string::String> {
                ::core::option::Option::Some(::std::format!("{self:?}"))
            }
        }
    });
    quote! {
        impl ::otp_bridge::__private::Module for #self_type {
            const NAME: &'static str = #name;
            const BEHAVIOUR: &'static ::otp_bridge::__private::Behaviour = &#path::BEHAVIOUR;
            type Args = #args;
            fn atom() -> ::otp_bridge::Atom {
                ::otp_bridge::atom!(#name)
            }
            #describe
        }
    }
}

/// That a process of it can be started, where the behaviour has a function for it.
fn started(block: &Block<'_>) -> Option<TokenStream> {
    let self_type = block.self_type;
    block
        .description
        .started
        .then(|| quote!(impl ::otp_bridge::__private::Started for #self_type {}))
}

fn umbrella_implementation(block: &Block<'_>) -> TokenStream {
    let (attributes, umbrella, self_type) = (block.attributes, block.umbrella, block.self_type);
    let associated = &block.associated;
    quote!(#(#attributes)* impl #umbrella for #self_type { #(#associated)* })
}

/// Which events there are clauses for, whatever function they are of: what a client may send.
fn accepts(block: &Block<'_>) -> TokenStream {
    let self_type = block.self_type;
    let mut seen = std::collections::BTreeSet::new();
    let mut events = Vec::new();
    for (callback, clauses) in &block.clauses {
        if !callback
            .arguments
            .iter()
            .any(|argument| argument.tells_apart)
        {
            continue;
        }
        for clause in clauses {
            let keys = &clause.keys;
            let event = quote!((#(#keys,)*));
            if seen.insert(event.to_string()) {
                events.push(event);
            }
        }
    }
    quote!(#(impl ::otp_bridge::__private::Accepts<#events> for #self_type {})*)
}

/// `impl path::callback::HandleCall<Get> for Counter { … }`
fn callback_implementation(block: &Block<'_>, callback: &Callback, clause: &Clause) -> TokenStream {
    let (self_type, path) = (block.self_type, &block.description.path);
    let callback_trait = &callback.callback_trait;
    let parameters = generics(&block.trait_parameters(callback, clause));
    let method = &clause.method;
    quote! {
        // The trait promises `impl …Return`, and a clause may name the type that it returns.
        #[allow(refining_impl_trait, clippy::manual_async_fn, clippy::unused_async)]
        impl #path::callback::#callback_trait #parameters for #self_type { #method }
    }
}
