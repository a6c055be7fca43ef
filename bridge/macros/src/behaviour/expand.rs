//! From a checked block to Rust.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Ident, ImplItem, ImplItemFn, Type};

use super::Input;
use super::clause::{Clause, generics, missing};
use super::description::{Callback, Description, Role};

/// A block, taken apart.
struct Block<'a> {
    description: &'a Description,
    self_type: &'a Type,
    type_name: String,
    umbrella: &'a syn::Path,
    attributes: &'a [syn::Attribute],
    /// Methods by the callback they implement, in the order of the description.
    clauses: Vec<(&'a Callback, Vec<Clause>)>,
    associated: Vec<&'a ImplItem>,
}

pub(super) fn expand(input: &Input) -> syn::Result<TokenStream> {
    let block = Block::new(input)?;
    let module_name = module_name(input, &block);
    let module = module_implementation(&block, &module_name);
    let umbrella = umbrella_implementation(&block);
    let callbacks = block.clauses.iter().flat_map(|(callback, clauses)| {
        clauses
            .iter()
            .map(|clause| callback_implementation(&block, callback, clause))
    });
    let absent = block
        .clauses
        .iter()
        .filter(|(callback, clauses)| {
            callback.required && clauses.is_empty() && !callback.is_open()
        })
        .map(|(callback, _)| {
            let span = block
                .umbrella
                .segments
                .last()
                .map_or_else(proc_macro2::Span::call_site, |s| s.ident.span());
            missing(
                callback,
                &block.description.behaviour.to_string(),
                &block.type_name,
                span,
            )
        });
    let absent: Vec<TokenStream> = absent.collect();
    let entry = if absent.is_empty() {
        registry_entry(&block, &module_name)
    } else {
        TokenStream::new()
    };
    Ok(quote!(#(#absent)* #module #umbrella #(#callbacks)* #entry))
}

impl<'a> Block<'a> {
    fn new(input: &'a Input) -> syn::Result<Self> {
        let description = &input.description;
        let (umbrella, self_type) = header(input)?;
        let mut clauses: Vec<(&Callback, Vec<Clause>)> = description
            .callbacks
            .iter()
            .map(|callback| (callback, Vec::new()))
            .collect();
        let mut associated = Vec::new();
        for item in &input.block.items {
            match item {
                ImplItem::Fn(method) => {
                    let place = callback_of(description, &method.sig.ident)?;
                    let clause = Clause::new(clauses[place].0, method.clone())?;
                    check_single(&clauses[place], method)?;
                    clauses[place].1.push(clause);
                }
                other => associated.push(other),
            }
        }
        Ok(Block {
            description,
            self_type,
            type_name: last_segment(self_type),
            umbrella,
            attributes: &input.block.attrs,
            clauses,
            associated,
        })
    }
}

/// The trait and type of `impl Trait for Type`.
fn header(input: &Input) -> syn::Result<(&syn::Path, &Type)> {
    let umbrella = &input.description.umbrella;
    let Some((path, _)) = &input.block.trait_ else {
        let message = format!("write `impl {umbrella} for …`");
        return Err(syn::Error::new_spanned(&input.block.self_ty, message));
    };
    if path
        .segments
        .last()
        .is_none_or(|segment| segment.ident != *umbrella)
    {
        let message = format!(
            "`#[{}]` implements `{umbrella}`",
            input.description.behaviour
        );
        return Err(syn::Error::new_spanned(path, message));
    }
    if let Some(parameter) = input.block.generics.params.first() {
        let message = "an Erlang module is one type: it has no generic parameters";
        return Err(syn::Error::new_spanned(parameter, message));
    }
    Ok((path, &input.block.self_ty))
}

fn callback_of(description: &Description, method: &Ident) -> syn::Result<usize> {
    let found = description
        .callbacks
        .iter()
        .position(|callback| callback.method == *method);
    found.ok_or_else(|| {
        let known: Vec<String> = description.callbacks.iter().map(Callback::label).collect();
        let message = format!(
            "`{}` has no callback `{method}`; it has {}",
            description.behaviour,
            known.join(", ")
        );
        syn::Error::new(method.span(), message)
    })
}

/// Only callbacks with an open argument have several clauses.
fn check_single(known: &(&Callback, Vec<Clause>), method: &ImplItemFn) -> syn::Result<()> {
    let (callback, clauses) = known;
    if clauses.is_empty() || callback.is_open() {
        return Ok(());
    }
    let message = format!("`{}` is defined twice", callback.label());
    Err(syn::Error::new(method.sig.ident.span(), message))
}

fn last_segment(ty: &Type) -> String {
    match ty {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .map(|segment| segment.ident.to_string()),
        _ => None,
    }
    .unwrap_or_else(|| ty.to_token_stream().to_string())
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

fn umbrella_implementation(block: &Block<'_>) -> TokenStream {
    let (attributes, umbrella, self_type) = (block.attributes, block.umbrella, block.self_type);
    let associated = &block.associated;
    quote!(#(#attributes)* impl #umbrella for #self_type { #(#associated)* })
}

/// `impl path::callback::HandleCall<Get> for Counter { … }`
fn callback_implementation(block: &Block<'_>, callback: &Callback, clause: &Clause) -> TokenStream {
    let (self_type, path) = (block.self_type, &block.description.path);
    let callback_trait = &callback.callback_trait;
    let parameters = generics(&trait_parameters(block, callback, clause));
    let method = &clause.method;
    quote! {
        // The trait promises `impl …Return`, and a clause may name the type that it returns.
        #[allow(refining_impl_trait, clippy::manual_async_fn, clippy::unused_async)]
        impl #path::callback::#callback_trait #parameters for #self_type { #method }
    }
}

/// The start argument is the umbrella's associated type, an open one what the clause takes.
fn trait_parameters(block: &Block<'_>, callback: &Callback, clause: &Clause) -> Vec<TokenStream> {
    let (self_type, path, umbrella) = (
        block.self_type,
        &block.description.path,
        &block.description.umbrella,
    );
    let mut keys = clause.keys.iter();
    callback
        .arguments
        .iter()
        .filter_map(|argument| match argument.role {
            Role::Args => {
                let name = &argument.name;
                Some(quote!(<#self_type as #path::#umbrella>::#name))
            }
            Role::Open => keys.next().map(ToTokens::to_token_stream),
            Role::Fixed | Role::State => None,
        })
        .collect()
}

/// Submits the module to the library's registry.
fn registry_entry(block: &Block<'_>, module_name: &str) -> TokenStream {
    let (self_type, path, type_name) = (block.self_type, &block.description.path, &block.type_name);
    let callbacks = block
        .clauses
        .iter()
        .filter(|(callback, clauses)| callback.required || !clauses.is_empty());
    let entries = callbacks.map(|(callback, clauses)| {
        let (name, arity) = (callback.name.to_string(), callback.arity);
        let clauses = clauses.iter().map(|clause| {
            let glue = &callback.method;
            let mut types = vec![self_type.to_token_stream()];
            types.extend(trait_parameters(block, callback, clause));
            let types = generics(&types);
            quote!(#path::glue::#glue::#types)
        });
        quote! {
            ::otp_bridge::__private::CallbackEntry { name: #name, arity: #arity, clauses: &[#(#clauses),*] }
        }
    });
    quote! {
        const _: () = {
            ::otp_bridge::__private::inventory::submit! {
                ::otp_bridge::__private::ModuleEntry {
                    name: #module_name,
                    rust_type: ::core::concat!(::core::module_path!(), "::", #type_name),
                    type_id: ::core::any::TypeId::of::<#self_type>,
                    behaviour: &#path::BEHAVIOUR,
                    callbacks: &[#(#entries),*],
                }
            }
        };
    }
}
