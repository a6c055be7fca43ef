//! A module's entry in the library's registry.

use otp_contract::behaviour::{Flag, Role};
use proc_macro2::TokenStream;
use quote::quote;

use super::block::Block;
use super::clause::{ClauseMethod, generics};
use super::description::Callback;
use super::{answer, shapes};
use crate::attributes;

/// A function of the Erlang module, with its clauses.
struct Function<'a> {
    name: String,
    callback: &'a Callback,
    clauses: Vec<(&'a Callback, &'a ClauseMethod)>,
}

/// Returns the bounds whose violation the compiler reports elsewhere: that the block's associated
/// types are terms, that the request has a reply, and that the reply is a term.
fn reported_elsewhere(
    block: &Block<'_>,
    callback: &Callback,
    clause: &ClauseMethod,
) -> Vec<TokenStream> {
    let (umbrella, path) = (&block.description.umbrella, &block.description.path);
    let arguments = callback.arguments.iter();
    let start = arguments.filter(|argument| argument.role == Role::Args);
    let start = start.map(|argument| &argument.name);
    let chosen = block.description.chosen.as_ref();
    let chosen = chosen.filter(|_| callback.has(Flag::Chosen));
    let associated = start
        .chain(chosen)
        .map(|name| quote!(<__OtpModule as #path::#umbrella>::#name: ::otp_bridge::ToTerm + ::otp_bridge::FromTerm));
    let position = callback.request();
    let keys = [clause.keys("'static"), clause.called_with()];
    let [request, called] = keys.map(|keys| position.and_then(|index| keys.get(index).cloned()));
    let request = request.map(|request| quote!(#request: ::otp_bridge::__private::Answered));
    let called = called.map(|called| quote!(#called: ::otp_bridge::__private::Argument));
    associated.chain(request).chain(called).collect()
}

/// Returns `entry` as if these bounds held, because a violation is reported elsewhere, and should
/// be reported only there. The compiler checks a bound with a lifetime where it is used. If the
/// bound does not hold, it uses the stand-in's constant here instead. The stand-in's own error
/// appears only in a program without another error.
pub(crate) fn assuming(bounds: &[TokenStream], entry: &TokenStream) -> TokenStream {
    if bounds.is_empty() {
        return entry.clone();
    }
    quote!({
        struct __OtpAssuming;
        #[allow(trivial_bounds)]
        impl __OtpAssuming
        where
            #(for<'assumed> #bounds,)*
        {
            const CLAUSE: ::otp_bridge::__private::ClauseEntry = #entry;
        }
        #[allow(unused_imports)]
        use ::otp_bridge::__private::ClauseStandIn as _;
        impl ::otp_bridge::__private::ClauseStandIn for __OtpAssuming {}
        __OtpAssuming::CLAUSE
    })
}

/// Submits the module to the library's registry.
pub(super) fn entry(block: &Block<'_>, module_name: &str, refuses: bool) -> TokenStream {
    let (self_type, path, type_name) = (block.self_type, &block.description.path, &block.type_name);
    let functions = functions(block);
    let doc = attributes::doc_lines(block.attributes);
    let entries = functions
        .iter()
        .map(|function| callback_entry(block, function));
    let child = match &block.description.children {
        Some(children) => quote!(<__OtpModule as #children>::MODULE),
        None => quote!(::core::option::Option::None),
    };
    // Between angle brackets, the compiler would give other advice about an unknown type.
    quote! {
        type __OtpModule = #self_type;
        ::otp_bridge::__private::inventory::submit! {
            ::otp_bridge::__private::ModuleEntry {
                name: #module_name,
                protocol: ::core::option::Option::None,
                rust_path: ::core::concat!(::core::module_path!(), "::", #type_name),
                location: ::core::panic::Location::caller(),
                doc: &[#(#doc),*],
                implements: ::core::option::Option::Some(::otp_bridge::__private::Implemented {
                    behaviour: &#path::BEHAVIOUR,
                    type_id: ::core::any::TypeId::of::<__OtpModule>,
                    start_argument: ::otp_bridge::__private::arguments_text::<__OtpModule>,
                    takes: ::otp_bridge::__private::takes::<__OtpModule>,
                    version: ::otp_bridge::__private::VersionOf::new::<__OtpModule>(),
                    child: #child,
                    refuses_bad_messages: #refuses,
                    is_secret: <__OtpModule as ::otp_bridge::__private::Module>::IS_SECRET,
                }),
                callbacks: &[#(#entries),*],
            }
        }
    }
}

/// Returns the functions in the order of the description. The clauses of a function are all its
/// callbacks. Clauses that users write with the same name keep the order of the source, whichever
/// callback each belongs to.
fn functions<'a>(block: &'a Block<'_>) -> Vec<Function<'a>> {
    let mut functions: Vec<Function<'a>> = Vec::new();
    for (callback, clauses) in &block.clauses {
        let plain = &callback.name;
        if callback.required {
            add(&mut functions, plain, callback);
        }
        for clause in clauses {
            let name = clause.function.as_deref().unwrap_or(plain);
            add(&mut functions, name, callback)
                .clauses
                .push((callback, clause));
        }
    }
    for function in &mut functions {
        let group = |written: &syn::Ident| {
            let callbacks = &block.description.callbacks;
            callbacks.iter().position(|it| it.written == *written)
        };
        function
            .clauses
            .sort_by_key(|(callback, clause)| (group(&callback.written), clause.index));
    }
    functions
}

/// Returns the function with this name and arity, a new one if there is none yet.
fn add<'f, 'a>(
    functions: &'f mut Vec<Function<'a>>,
    name: &str,
    callback: &'a Callback,
) -> &'f mut Function<'a> {
    let known = functions
        .iter()
        .position(|known| known.name == name && known.callback.arity == callback.arity);
    let index = known.unwrap_or_else(|| {
        functions.push(Function {
            name: name.to_owned(),
            callback,
            clauses: Vec::new(),
        });
        functions.len() - 1
    });
    &mut functions[index]
}

fn callback_entry(block: &Block<'_>, function: &Function<'_>) -> TokenStream {
    let path = &block.description.path;
    let Callback {
        name: known,
        arity,
        answer,
        ..
    } = function.callback;
    let name = &function.name;
    let of_clause = |(callback, clause): &(&Callback, &ClauseMethod)| {
        let mut types = vec![quote!(__OtpModule)];
        let keys = clause.called_with();
        types.extend(block.trait_parameters(callback, clause, &quote!(__OtpModule), &keys));
        types.extend(
            clause
                .reply(callback)
                .filter(|_| callback.has(Flag::Replies)),
        );
        let (method, types) = (&callback.method, generics(&types));
        let message = clause.message();
        let location = clause.location();
        let scheduler = attributes::scheduler_of(clause.is_normal);
        let entry = quote! {
            ::otp_bridge::__private::ClauseEntry {
                run: #path::glue::#method::#types,
                signature: #path::signature::#method::#types,
                message: #message,
                location: #location,
                scheduler: #scheduler,
            }
        };
        assuming(&reported_elsewhere(block, callback, clause), &entry)
    };
    let clauses = function.clauses.iter().map(of_clause);
    let taken = taken(block, function);
    let answer = answer.as_ref().filter(|_| function.clauses.is_empty());
    let atoms = answer.and_then(|answer| answer::atoms(answer, |method| block.has(method)).ok());
    let atoms = atoms.unwrap_or_default();
    quote! {
        ::otp_bridge::__private::CallbackEntry {
            name: #name,
            arity: #arity,
            doc: &[],
            facts: #path::BEHAVIOUR.callback(#known, #arity).facts,
            of: ::core::option::Option::Some(#path::BEHAVIOUR.callback(#known, #arity)),
            answer: &[#(#atoms),*],
            clauses: &[#(#clauses),*],
            taken: #taken,
        }
    }
}

/// Returns the shapes that the clauses match, if a return value can trigger them.
fn taken(block: &Block<'_>, function: &Function<'_>) -> TokenStream {
    let effects = block.description.effects.iter();
    let called: Vec<&syn::Ident> = effects
        .flat_map(|it| {
            it.taken_by
                .iter()
                .chain(it.atom.iter().map(|(method, _)| method))
        })
        .collect();
    let clauses = function.clauses.iter();
    let taken: Vec<TokenStream> = clauses
        .filter(|(callback, _)| called.contains(&&callback.method))
        .map(|(callback, clause)| shapes::taken(callback, clause))
        .collect();
    if taken.is_empty() {
        return quote!(&[]);
    }
    quote!({
        #[allow(unused_imports)]
        use ::otp_bridge::__private::Unknown as _;
        &[#(#taken),*]
    })
}
