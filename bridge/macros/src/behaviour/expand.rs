//! Expands a checked block.

use otp_contract::behaviour::{Flag, Role};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

use super::block::Block;
use super::clause::{ClauseMethod, generics};
use super::description::Callback;
use super::method::ends_of;
use super::{
    Input, associated, borrowed, missing, named, older, registry, return_trait, shapes, taken,
};
use crate::refusal::Refusal;

pub(super) fn expand(input: &Input) -> syn::Result<TokenStream> {
    let block = Block::new(input)?;
    let module_name = module_name(input, &block);
    let is_secret = input.is_secret()?;
    let module = module_implementation(&block, &module_name, is_secret);
    let umbrella = umbrella_implementation(&block);
    let implementations = |any_name: bool| -> Vec<TokenStream> {
        let callbacks = block.clauses.iter();
        let callbacks = callbacks.filter(|(callback, _)| callback.has(Flag::AnyName) == any_name);
        let clauses = callbacks.flat_map(|(callback, clauses)| {
            clauses
                .iter()
                .map(|clause| callback_implementation(&block, callback, clause))
        });
        clauses.collect()
    };
    let (callbacks, named) = (implementations(false), implementations(true));
    let absent = missing::errors(&block);
    let (entry, checks) = if absent.is_empty() {
        let refuses = input.refuses_bad_messages()?;
        let entry = registry::entry(&block, &module_name, refuses);
        (entry, shapes::checks(&block, refuses))
    } else {
        Default::default()
    };
    let markers = named::markers(block.functions_of_any_name());
    let (accepts, taken) = (accepts(&block), taken::implementations(&block));
    let (started, small) = (started(&block), small_enough(&block));
    let children = children(&block);
    let older = older::implementations(block.self_type, &block.older);
    Ok(quote! {
        #(#absent)* #module #started #children #small #umbrella #accepts #checks #taken #(#callbacks)*
        #older
        const _: () = {
            #markers
            #(#named)*
            #entry
        };
    })
}

/// Expands a block with a wrong callback to a module that can still be started. So the error is
/// reported once, and not wherever the module is named.
pub(super) fn stand_in(input: &Input) -> TokenStream {
    let Ok(block) = Block::without_clauses(input) else {
        return TokenStream::new();
    };
    let is_secret = input.options.is_secret.is_some();
    let module = module_implementation(&block, &module_name(input, &block), is_secret);
    let (attributes, self_type, umbrella) = (block.attributes, block.self_type, umbrella(&block));
    let associated = associated::stand_ins(block.description, &block.associated);
    let (started, children) = (started(&block), children(&block));
    let named = named_umbrella(&block);
    quote!(#module #started #children #named #(#attributes)* impl #umbrella for #self_type { #associated })
}

fn module_name(input: &Input, block: &Block<'_>) -> String {
    match &input.options.module {
        Some(name) => name.value(),
        None => otp_contract::rust::snake_case(&block.type_name),
    }
}

fn module_implementation(block: &Block<'_>, name: &str, is_secret: bool) -> TokenStream {
    let (self_type, path) = (block.self_type, &block.description.path);
    let umbrella = &block.description.umbrella;
    let args = match block.description.start_argument() {
        Some(name) => quote!(<Self as #path::#umbrella>::#name),
        None => quote!(()),
    };
    let moved = quote_spanned!(self_type.span()=> type Moved = Self;);
    let has_state = block.description.has_state();
    let state = has_state.then(|| functions_of_state(is_secret));
    let secret = is_secret.then(|| {
        quote!(
            const IS_SECRET: ::core::primitive::bool = true;
        )
    });
    let chosen = function_of_chosen(block);
    let older = older::list(self_type, &block.older);
    quote! {
        impl ::otp_bridge::__private::Module for #self_type {
            const NAME: &'static ::core::primitive::str = #name;
            const BEHAVIOUR: &'static ::otp_bridge::__private::Behaviour = &#path::BEHAVIOUR;
            #secret
            type Args = #args;
            #moved
            fn argument(__otp_arguments: &Self::Args) -> ::otp_bridge::Term {
                use ::otp_bridge::__private::{ArgumentOfTerms as _, NoArgument as _};
                (&::otp_bridge::__private::CodecProbe::<Self::Args>::new()).term(__otp_arguments)
            }
            fn argument_type(__otp_types: &mut ::otp_bridge::term::Definitions) -> ::std::string::String {
                use ::otp_bridge::__private::{ArgumentOfTerms as _, NoArgument as _};
                (&::otp_bridge::__private::CodecProbe::<Self::Args>::new()).text(__otp_types)
            }
            fn takes(
                __otp_argument: &::otp_bridge::Term,
            ) -> ::core::result::Result<(), ::otp_bridge::term::DecodeError> {
                use ::otp_bridge::__private::{ArgumentOfTerms as _, NoArgument as _};
                (&::otp_bridge::__private::CodecProbe::<Self::Args>::new()).takes(__otp_argument)
            }
            fn atom() -> &'static ::otp_bridge::Atom {
                static __OTP_ATOM: ::otp_bridge::Atom = ::otp_bridge::atom!(#name);
                &__OTP_ATOM
            }
            #chosen
            #state
            #older
        }
    }
}

/// Returns the function that checks whether a term has the type that callbacks pass to each other,
/// if the behaviour has one: the state of a `gen_statem`.
fn function_of_chosen(block: &Block<'_>) -> Option<TokenStream> {
    let (path, umbrella) = (&block.description.path, &block.description.umbrella);
    let name = block.description.chosen.as_ref()?;
    Some(quote! {
        fn takes_chosen(
            __otp_term: &::otp_bridge::Term,
        ) -> ::core::result::Result<(), ::otp_bridge::term::DecodeError> {
            use ::otp_bridge::__private::{ArgumentOfTerms as _, NoArgument as _};
            (&::otp_bridge::__private::CodecProbe::<<Self as #path::#umbrella>::#name>::new()).takes(__otp_term)
        }
    })
}

/// Returns the functions of `Module` for the state: its text in reports, unless it is secret, and
/// its conversions, if it is a term. The compiler finds out whether it is a term by autoref: the
/// fallback method needs one reference more.
fn functions_of_state(is_secret: bool) -> TokenStream {
    let described = (!is_secret).then(|| {
        quote! {
            fn describe_state(&self, __otp_out: &mut dyn ::core::fmt::Write) -> ::core::fmt::Result {
                ::core::write!(__otp_out, "{self:?}")
            }
        }
    });
    quote! {
        #described
        fn state_codec() -> ::core::option::Option<::otp_bridge::__private::StateCodec<Self>> {
            use ::otp_bridge::__private::{CodecOfTerms as _, NoCodec as _};
            (&::otp_bridge::__private::CodecProbe::<Self>::new()).state_codec()
        }
    }
}

/// Returns a check that makes the compiler reject a state that is too large to be moved, at the
/// name of the type.
fn small_enough(block: &Block<'_>) -> Option<TokenStream> {
    let self_type = block.self_type;
    let name = super::clause::text(self_type);
    let refusal = Refusal::new(
        format!("the state `{name}` has more than 16 KiB"),
        "too large",
    );
    let refusal = refusal.with_note(
        "`init` builds it on a scheduler's stack: put its large parts behind a `Box` or into a `Vec`",
    );
    let condition =
        quote!(::otp_bridge::__private::is_large_state(::core::mem::size_of::<#self_type>()));
    let check = refusal.if_true(&condition, ends_of(self_type));
    block.description.has_state().then_some(check)
}

/// Returns the implementation for processes of the module, if the behaviour has a function that
/// starts them.
fn started(block: &Block<'_>) -> Option<TokenStream> {
    let self_type = block.self_type;
    let reference = block.description.started.as_ref()?;
    let isolated = block.description.has_state();
    let isolated =
        isolated.then(|| quote!(#[diagnostic::do_not_recommend] impl ::otp_bridge::__private::Isolated for #self_type {}));
    Some(quote! {
        #isolated
        // A list of the modules that can be started does not help users who have named another
        // type.
        #[diagnostic::do_not_recommend]
        impl ::otp_bridge::__private::Started for #self_type {
            type Arguments = <#self_type as ::otp_bridge::__private::Module>::Args;
            type Reference = #reference<#self_type>;
        }
    })
}

/// Returns the type of its children, if the behaviour has children.
fn children(block: &Block<'_>) -> Option<TokenStream> {
    associated::children(block.description, block.self_type, &block.associated)
}

fn umbrella_implementation(block: &Block<'_>) -> TokenStream {
    let (attributes, self_type) = (block.attributes, block.self_type);
    let associated = block.associated.iter();
    let associated = associated.filter(|item| !associated::is_child(block.description, item));
    let (implemented, named) = (umbrella(block), named_umbrella(block));
    quote!(#named #(#attributes)* impl #implemented for #self_type { #(#associated)* })
}

/// Returns a use of the block's name for the trait of the whole behaviour. It is the only one, so
/// that there is one error if the name is wrong.
fn named_umbrella(block: &Block<'_>) -> TokenStream {
    let written = block.umbrella;
    quote!(const _: () = { #[allow(dead_code)] fn __otp_named<__OtpT: #written>() {} };)
}

/// Returns the trait of the whole behaviour by its own path, with the span of the block's name.
fn umbrella(block: &Block<'_>) -> TokenStream {
    let (path, umbrella) = (&block.description.path, &block.description.umbrella);
    let mut written = block.umbrella.to_token_stream().into_iter();
    let span = written.next().map_or_else(Span::call_site, |it| it.span());
    let last = written.last().map_or(span, |it| it.span());
    let name = Ident::new(&umbrella.to_string(), last);
    quote_spanned!(span=> #path::#name)
}

/// Returns the implementations for events and requests with a clause, in whichever function: a
/// client may send these.
fn accepts(block: &Block<'_>) -> TokenStream {
    let self_type = block.self_type;
    let mut seen = std::collections::BTreeSet::new();
    let mut accepted = Vec::new();
    let run_time = quote!(::otp_bridge::__private);
    for (callback, clauses) in &block.clauses {
        let is_event = callback
            .arguments
            .iter()
            .any(|it| it.role == Role::Discriminant);
        for keys in clauses.iter().map(|clause| clause.keys("'_")) {
            let event = is_event.then(|| quote!(#run_time::Accepts<(#(#keys,)*)>));
            let request = callback.request().filter(|_| callback.has(Flag::Call));
            let request = request.and_then(|index| keys.get(index));
            let call = request.map(|it| quote!(#run_time::Answers<#it>));
            let new = event.into_iter().chain(call);
            accepted.extend(new.filter(|it| seen.insert(it.to_string())));
        }
    }
    quote!(#(impl #accepted for #self_type {})*)
}

/// `impl path::callback::HandleCall<Get> for Counter { … }`
fn callback_implementation(
    block: &Block<'_>,
    callback: &Callback,
    clause: &ClauseMethod,
) -> TokenStream {
    let (self_type, path) = (block.self_type, &block.description.path);
    let callback_trait = &callback.callback_trait;
    let of = |lifetime: &str| {
        let keys = clause.keys(lifetime);
        let parameters = block.trait_parameters(callback, clause, &quote!(Self), &keys);
        let parameters = generics(&parameters);
        quote!(#path::callback::#callback_trait #parameters)
    };
    let mut method = clause.method.clone();
    let named = return_trait::replace(&mut method, callback, path, self_type);
    let method = &method;
    let reply = clause
        .reply(callback)
        .filter(|_| callback.has(Flag::Replies));
    let reply = reply.map(|reply| quote!(type Reply = #reply;));
    let caller = clause.caller_of_request(callback);
    let called = clause.borrows().then(|| {
        let keys = clause.called_with();
        let parameters = block.trait_parameters(callback, clause, &quote!(Self), &keys);
        let parameters = generics(&parameters);
        let method = borrowed::call(method, &of("'_"));
        quote! {
            #[allow(refining_impl_trait)]
            impl #path::callback::#callback_trait #parameters for #self_type { #reply #method }
        }
    });
    let (lifetime, implemented) = if clause.borrows() {
        (quote!(<'borrowed>), of(borrowed::BORROWED))
    } else {
        (TokenStream::new(), of("'_"))
    };
    quote! {
        // The trait promises `impl …Return`, and a clause may name the type that it returns. An
        // operation that is not awaited does nothing, and by default the compiler would only warn
        // about it.
        #[allow(refining_impl_trait, clippy::manual_async_fn, clippy::unused_async)]
        #[deny(unused_must_use, clippy::let_underscore_future)]
        impl #lifetime #implemented for #self_type { #reply #method }
        #called
        #caller
        #named
    }
}
