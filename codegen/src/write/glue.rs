//! `glue`: one function for each callback, from the terms of an invocation to the work that
//! produces the returned term.

use otp_contract::behaviour::Role;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::callbacks::{reply_type, trait_parameters};
use super::returns::{fields, map_name};
use super::scope::{Scope, angle, identifier};
use crate::ir::{Behaviour, Callback, CallbackArgument, REPLY, Returns};
use crate::names::snake;

/// Returns the module `glue`.
pub(super) fn glue(scope: &Scope<'_>, behaviour: &Behaviour) -> TokenStream {
    let scope = scope.nested();
    let written = behaviour
        .callbacks
        .iter()
        .map(|callback| Glue::new(&scope, callback).function());
    let run_time = super::run_time_import(behaviour.callbacks.is_empty());
    quote! {
        /// What the callbacks' Erlang modules call.
        #[doc(hidden)]
        pub mod glue {
            #run_time
            #(#written)*
        }
    }
}

/// The data from which the glue of one callback is generated.
struct Glue<'m> {
    scope: Scope<'m>,
    callback: &'m Callback,
    /// Type parameters of the callback's trait.
    parameters: Vec<Ident>,
    /// The type parameters with their bounds, on one line, because error messages show it.
    bounded: Vec<TokenStream>,
    /// The type that holds the decoded arguments until the callback runs.
    arguments: Ident,
}

impl<'m> Glue<'m> {
    fn new(scope: &Scope<'m>, callback: &'m Callback) -> Self {
        let reply = reply_type(callback, &quote!(T));
        let scope = scope.with_reply_and_state(callback, reply, quote!(T));
        let send = scope.standard("Send");
        let parameters = trait_parameters(callback);
        let bounds = parameters.iter().map(|(name, bound)| {
            let bound = bound.iter();
            quote!(#name: #(#bound +)* #send + 'static)
        });
        let bounded = bounds.collect();
        let parameters: Vec<Ident> = parameters.into_iter().map(|(name, _)| name).collect();
        let arguments = if parameters.iter().any(|name| name == "Arguments") {
            "ArgumentsOfCall"
        } else {
            "Arguments"
        };
        Glue {
            arguments: identifier(arguments),
            scope,
            callback,
            parameters,
            bounded,
        }
    }

    fn function(&self) -> TokenStream {
        let method = identifier(&self.callback.names.method);
        // With the reply's type as well, the compiler's message about a type that is not a request
        // mentions only that.
        let reply = self.callback.has_reply_type().then(|| identifier(REPLY));
        let named = reply.iter().map(|name| quote!(#name));
        let parameters = self.bounded.iter().cloned().chain(named);
        let own_bound = self.own_bound(reply.as_ref());
        let result = self.scope.standard("Result");
        let declared = self.declaration();
        let implemented = self.implementation();
        let literals = self.literals();
        let decoded = self.decoded();
        let arguments = self.values();
        let start = match self.callback.state_position() {
            Some(position) => {
                let position = Literal::usize_unsuffixed(position);
                quote!(call.on_state::<T, _>(#position, #arguments))
            }
            None => quote!(call.stateless::<T, _>(#arguments)),
        };
        quote! {
            pub fn #method<T, #(#parameters),*>(
                call: &mut rt::Invocation<'_>
            ) -> #result<rt::Encoded, rt::DecodeError>
            where
                #own_bound
            {
                #declared
                #implemented
                #literals
                #decoded
                #start
            }
        }
    }

    /// `T: super::callback::HandleCall<Request, Reply = Reply> + rt::Module,`
    fn own_bound(&self, reply: Option<&Ident>) -> TokenStream {
        let name = identifier(&self.callback.names.callback_trait);
        let send = self.scope.standard("Send");
        let parameters = trait_parameters(self.callback).into_iter();
        let parameters = parameters.map(|(name, _)| quote!(#name));
        let bound = self.callback.has_reply_type().then(|| match reply {
            Some(reply) => quote!(#reply: rt::ToTerm + #send + 'static,),
            None => quote!(T::Reply: rt::ToTerm + #send + 'static,),
        });
        let reply = reply.map(|reply| quote!(#reply = #reply));
        let arguments = angle(&parameters.chain(reply).collect::<Vec<_>>());
        quote!(T: super::callback::#name #arguments + rt::Module, #bound)
    }

    /// Returns the type parameters of the type that holds the arguments.
    fn generics(&self) -> TokenStream {
        let state = self.callback.state_position();
        let own = state.is_none().then(|| identifier("T"));
        let names = own.iter().chain(&self.parameters);
        angle(&names.map(|name| quote!(#name)).collect::<Vec<_>>())
    }

    /// Returns the type parameters that are the type of no argument.
    fn phantom(&self) -> Vec<Ident> {
        let taken = self.callback.plain_arguments();
        let held = |name: &&Ident| {
            let name = name.to_string();
            let is_type = |argument: &&CallbackArgument| argument.ty.mentions(&name);
            !taken.iter().any(is_type)
        };
        let state = self.callback.state_position();
        let own = state.is_none().then(|| identifier("T"));
        let others = self.parameters.iter().filter(held).cloned();
        own.into_iter().chain(others).collect()
    }

    /// Returns the declaration of the type that holds the arguments.
    fn declaration(&self) -> TokenStream {
        let (name, generics) = (&self.arguments, self.generics());
        let taken = self.callback.plain_arguments();
        let phantom = self.phantom();
        let marker = match phantom.as_slice() {
            [] => None,
            [one] => Some(quote!(::core::marker::PhantomData<fn() -> #one>)),
            more => Some(quote!(::core::marker::PhantomData<fn() -> (#(#more),*)>)),
        };
        let types = taken.iter().map(|argument| self.scope.ty(&argument.ty));
        let types: Vec<TokenStream> = types.chain(marker).collect();
        let fields = fields(&types);
        quote!(struct #name #generics #fields;)
    }

    /// Returns the work on the state, or the work without one.
    fn implementation(&self) -> TokenStream {
        let Glue { scope, bounded, .. } = self;
        let (name, generics) = (&self.arguments, self.generics());
        let own_bound = self.own_bound(None);
        let return_trait = scope.local_item(&self.callback.names.return_trait);
        let method = identifier(&self.callback.names.method);
        let stateful = self.callback.state_position().is_some();
        let (implemented, state) = if stateful {
            (quote!(rt::OnState<T>), Some(quote!(state: &mut T,)))
        } else {
            (quote!(rt::Stateless), None)
        };
        let given = stateful.then(|| quote!(state,));
        let count = self.callback.plain_arguments().len();
        let places = (0..count).map(Literal::usize_unsuffixed);
        let finish = self.finish();
        quote! {
            impl<T, #(#bounded),*> #implemented for #name #generics
            where
                #own_bound
            {
                #[inline]
                fn run(self, #state cx: &rt::Cx<'_>) -> impl rt::Work<Output = rt::Outcome> {
                    use #return_trait as _;
                    rt::map(
                        T::#method(#given #(self.#places,)* cx),
                        move |returned| #finish,
                    )
                }
            }
        }
    }

    /// Returns the code that handles the returned value.
    fn finish(&self) -> TokenStream {
        if self.callback.result.makes_state {
            let map = map_name(self.callback);
            let state = identifier(&snake(&self.callback.parameters.state));
            return quote! {
                rt::finish(
                    cx,
                    returned.into_return().map(|made| made.#map(|#state| rt::keep(cx, #state))),
                )
            };
        }
        match &self.callback.result.returns {
            Returns::Clauses { .. } => quote!(rt::finish(cx, returned.into_return())),
            Returns::Type(_) | Returns::AnyTerm => {
                quote!(rt::finish_term(cx, returned.into_return()))
            }
        }
    }

    /// Returns the code that decodes the terms which the method does not receive.
    fn literals(&self) -> TokenStream {
        let arguments = self.callback.arguments.iter().enumerate();
        let literals = arguments.filter(|(_, argument)| argument.role == Role::Literal);
        let decoded = literals.map(|(index, argument)| {
            let position = Literal::usize_unsuffixed(index);
            let (ty, label) = (self.scope.ty(&argument.ty), &argument.name);
            quote!(call.argument::<#ty>(#position, #label)?;)
        });
        quote!(#(#decoded)*)
    }

    /// Returns the code that decodes the arguments of the method, except the state.
    fn decoded(&self) -> TokenStream {
        let arguments = self.callback.arguments.iter().enumerate();
        let decoded = arguments.filter_map(|(index, argument)| {
            let position = Literal::usize_unsuffixed(index);
            let (name, label) = (identifier(&argument.identifier), &argument.name);
            match argument.role {
                role if !role.is_taken() => None,
                Role::Fixed if argument.is_caller() => {
                    let reply = reply_type(self.callback, &quote!(T));
                    Some(quote!(let #name = call.caller::<#reply>(#position, #label)?;))
                }
                _ if is_watched(argument) => {
                    let ty = self.scope.ty(&argument.ty);
                    Some(quote!(let mut #name = call.argument::<#ty>(#position, #label)?;))
                }
                _ => {
                    let ty = self.scope.ty(&argument.ty);
                    Some(quote!(let #name = call.argument::<#ty>(#position, #label)?;))
                }
            }
        });
        // The caller in a clause that does not match waits for another clause.
        let arguments = self.callback.arguments.iter();
        let watched = arguments.filter(|argument| is_watched(argument));
        let watched = watched.map(|argument| identifier(&argument.identifier));
        quote!(#(#decoded)* #(call.watch(&mut #watched);)*)
    }

    /// Returns the value that holds the arguments.
    fn values(&self) -> TokenStream {
        let taken = self.callback.plain_arguments();
        let names = taken.iter().map(|argument| {
            let name = identifier(&argument.identifier);
            quote!(#name)
        });
        let (name, generics) = (&self.arguments, self.generics());
        let phantom = !self.phantom().is_empty();
        let marker = phantom.then(|| quote!(::core::marker::PhantomData));
        let known = phantom.then(|| quote!(::#generics));
        let fields = fields(&names.chain(marker).collect::<Vec<_>>());
        quote!(#name #known #fields)
    }
}

/// Returns whether the argument may contain a caller to whom the clause has to reply: a message, or
/// the start argument of a process.
fn is_watched(argument: &CallbackArgument) -> bool {
    argument.discriminant.is_some() || argument.role.is_open() || argument.role == Role::Args
}
