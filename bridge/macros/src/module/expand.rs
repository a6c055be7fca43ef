//! The module's entry in the library's registry.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, ItemMod};

use super::function::{Function, FunctionArgument};
use super::options::ModuleOptions;
use super::run_time;
use crate::attributes;
use crate::behaviour::assuming;
use crate::names::ours;

/// Submits the module to the library's registry.
pub(super) fn entry(
    options: &ModuleOptions,
    module: &ItemMod,
    functions: &[Function],
) -> TokenStream {
    let doc = attributes::doc_lines(&module.attrs);
    let ModuleOptions { name, protocol } = options;
    let protocol = match protocol {
        Some((protocol, target)) => quote!(::core::option::Option::Some((#protocol, #target))),
        None => quote!(::core::option::Option::None),
    };
    let rt = run_time();
    let checks = functions.iter().map(checks);
    let entries = functions.iter().map(function);
    quote! {
        const _: () = {
            #(#checks)*
            #rt::inventory::submit! {
                #rt::ModuleEntry {
                    name: #name,
                    protocol: #protocol,
                    rust_path: ::core::module_path!(),
                    location: ::core::panic::Location::caller(),
                    doc: &[#(#doc),*],
                    implements: ::core::option::Option::None,
                    callbacks: &[#(#entries),*],
                }
            }
        };
    }
}

/// Checks that the types of a function are terms. This is the only place that reports it.
fn checks(function: &Function) -> TokenStream {
    let rt = run_time();
    let sent = !function.is_direct();
    let arguments = function.arguments.iter().map(|argument| {
        let ty = &argument.ty;
        let check = match (argument.borrows, sent) {
            (true, _) => quote!(is_borrowed_argument),
            (false, true) => quote!(is_sent_argument),
            (false, false) => quote!(is_argument),
        };
        quote_spanned!(ty.span()=> #rt::#check::<#ty>();)
    });
    let output = &function.output.ty;
    let output = quote_spanned!(output.span()=> #rt::is_result::<#output>(););
    let conditions = &function.conditions;
    quote!(#(#conditions)* const _: () = { #(#arguments)* #output };)
}

/// Returns the bounds that [`checks`] has checked.
fn bounds(function: &Function) -> Vec<TokenStream> {
    let sent = (!function.is_direct()).then(|| quote!(+ ::core::marker::Send));
    let arguments = function.arguments.iter().map(|argument| {
        let ty = &argument.ty;
        if argument.borrows {
            quote!(#ty: ::otp_bridge::term::BorrowTerm)
        } else {
            quote!(#ty: ::otp_bridge::FromTerm #sent)
        }
    });
    let (rt, output) = (run_time(), &function.output.ty);
    arguments
        .chain([quote!(#output: #rt::TermReturn)])
        .collect()
}

fn function(function: &Function) -> TokenStream {
    let rt = run_time();
    let (name, arity) = &function.erlang;
    let doc = &function.doc;
    let run = if function.is_direct() {
        direct(function)
    } else {
        in_cell(function)
    };
    let signature = signature(function);
    let location = quote_spanned!(function.name.span()=> ::core::panic::Location::caller());
    let scheduler = attributes::scheduler_of(function.is_normal);
    let clause = quote! {
        #rt::ClauseEntry {
            run: #run,
            signature: #signature,
            message: "",
            location: #location,
                scheduler: #scheduler,
        }
    };
    let clause = assuming(&bounds(function), &clause);
    let conditions = &function.conditions;
    quote! {
        #(#conditions)*
        #rt::CallbackEntry {
            name: #name,
            arity: #arity,
            doc: &[#(#doc),*],
            facts: #rt::CallbackFacts::of(#rt::CallbackKind::Other),
            of: ::core::option::Option::None,
            answer: &[],
            clauses: &[#clause],
            taken: &[],
        }
    }
}

/// Returns the variables that hold the arguments.
fn variables(function: &Function) -> Vec<Ident> {
    let count = 0..function.arguments.len();
    count
        .map(|index| ours(&format!("argument{index}")))
        .collect()
}

/// Returns the statements that decode the arguments:
/// `let argument0 = __otp_call.argument::<Shape>(0, "Shape")?;`
fn reads(function: &Function) -> TokenStream {
    let arguments = function
        .arguments
        .iter()
        .zip(variables(function))
        .enumerate();
    let reads = arguments.map(|(index, (argument, variable))| {
        let (ty, name) = (&argument.ty, &argument.name);
        if argument.borrows && function.is_direct() {
            quote!(let #variable = __otp_call.borrowed::<#ty>(#index, #name)?;)
        } else if argument.is_referred && function.is_direct() {
            quote!(let #variable = __otp_call.lent::<#ty>(#index, #name)?;)
        } else {
            let ty = owned_type(argument);
            quote!(let #variable = __otp_call.argument::<#ty>(#index, #name)?;)
        }
    });
    quote!(#(#reads)*)
}

/// Returns the type of an argument of a function that runs in a cell.
fn owned_type(argument: &FunctionArgument) -> TokenStream {
    let (rt, ty) = (run_time(), &argument.ty);
    if argument.borrows {
        quote!(#rt::BorrowedArgument<#ty>)
    } else {
        quote!(#ty)
    }
}

/// Returns the call: `area(&argument0, argument1, cx)`.
fn call(function: &Function) -> TokenStream {
    let arguments = function.arguments.iter().zip(variables(function));
    let arguments = arguments.map(|(argument, variable)| {
        if argument.is_referred {
            quote!(&#variable)
        } else {
            quote!(#variable)
        }
    });
    let context = function.takes_context.then(|| quote!(__otp_cx));
    let arguments = arguments.chain(context);
    let name = &function.name;
    let wait = function.is_async.then(|| quote!(.await));
    let call = quote!(#name(#(#arguments),*) #wait);
    if function.is_direct() {
        call
    } else {
        with_borrowed(function, call)
    }
}

/// Wraps the call in `argument0.with(|argument0| call)` for each argument that borrows.
fn with_borrowed(function: &Function, call: TokenStream) -> TokenStream {
    let arguments = function.arguments.iter().zip(variables(function));
    let borrowed = arguments.filter(|(argument, _)| argument.borrows);
    borrowed.fold(
        call,
        |call, (_, variable)| quote!(#variable.with(|#variable| #call)),
    )
}

/// Returns the signature of `Clause::run`.
fn head() -> TokenStream {
    let rt = run_time();
    quote! {
        |__otp_call: &mut #rt::Invocation<'_>| -> ::core::result::Result<#rt::Encoded, ::otp_bridge::term::DecodeError>
    }
}

fn direct(function: &Function) -> TokenStream {
    let (head, reads) = (head(), reads(function));
    let value = function.output.of_call(&call(function));
    let ty = &function.output.ty;
    quote!(#head { #reads __otp_call.direct(|| -> #ty { #value }) })
}

/// Runs the function with a context, and if necessary later or on another scheduler.
fn in_cell(function: &Function) -> TokenStream {
    let (rt, head, reads) = (run_time(), head(), reads(function));
    let variables = variables(function);
    let types: Vec<TokenStream> = function.arguments.iter().map(owned_type).collect();
    let ty = &function.output.ty;
    let value = function.output.of_call(&call(function));
    let bounds = bounds(function);
    let finish = quote! {{
        let __OtpArguments(#(#variables,)*) = self;
        let __otp_value: #ty = #value;
        #rt::finish_term(__otp_cx, #rt::TermReturn::into_value(__otp_value))
    }};
    let work = match (&function.dirty, function.is_async) {
        (Some(dirty), _) => quote!(#rt::#dirty(async move #finish)),
        (None, true) => quote!(async move #finish),
        (None, false) => quote!(#rt::Plain::run(move || #finish)),
    };
    quote!(#head {
        struct __OtpArguments(#(#types,)*);
        #[allow(trivial_bounds, clippy::unused_async)]
        impl #rt::Stateless for __OtpArguments
        where
            #(for<'assumed> #bounds,)*
        {
            fn run(self, __otp_cx: &::otp_bridge::Cx<'_>) -> impl #rt::Work<Output = #rt::Outcome> {
                #work
            }
        }
        #reads
        __otp_call.function(__OtpArguments(#(#variables),*))
    })
}

/// Returns the types for `-spec area(Shape :: shape()) -> float().`
fn signature(function: &Function) -> TokenStream {
    let rt = run_time();
    let arguments = function.arguments.iter().map(|argument| {
        let (name, ty) = (&argument.name, owned_type(argument));
        quote!(::std::format!("{} :: {}", #name, __otp_types.text::<#ty>()))
    });
    let ty = &function.output.ty;
    quote! {
        |__otp_types: &mut ::otp_bridge::term::Definitions| #rt::Signature {
            arguments: ::std::vec![#(#arguments),*],
            returns: ::std::vec![__otp_types.text::<<#ty as #rt::TermReturn>::Value>()],
        }
    }
}
