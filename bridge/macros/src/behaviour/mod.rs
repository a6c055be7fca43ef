//! `#[gen_server]`, `#[supervisor]` and `#[behaviour(path)]`: they expand an `impl` block of a
//! behaviour to the implementations of its callback traits and an entry of the application's
//! registry.
//!
//! The macros know no behaviour. The attribute passes the block to the behaviour's generated
//! `__describe!`, which passes its description and the block to [`implement`].

mod answer;
mod arguments;
mod associated;
mod block;
mod borrowed;
mod bound;
mod call_scope;
mod clause;
mod condition;
mod description;
mod effects;
mod elsewhere;
mod everywhere;
mod expand;
mod ignored;
mod jumps;
mod literals;
mod method;
mod missing;
mod named;
mod older;
mod options;
mod own_name;
mod postponed;
mod read_only;
mod registry;
mod return_trait;
mod second;
mod shapes;
mod signature;
mod start;
mod taken;
#[cfg(test)]
mod tests;
mod unused;
mod used_names;
mod waiting;

use otp_contract::behaviour::{BAD_MESSAGES, Flag, SECRET};
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};

pub(crate) use call_scope::check_function;
pub(crate) use options::BehaviourOptions;
pub(crate) use registry::assuming;

/// Expands the attribute to a call of the behaviour's `__describe!`, after the compiler has
/// evaluated the conditions in the block.
pub(crate) fn attribute(
    behaviour: &syn::Path,
    options: TokenStream,
    block: TokenStream,
) -> TokenStream {
    match condition::has_any(&block) {
        true => condition::decide(behaviour, options, block),
        false => describe(behaviour, &options, &block),
    }
}

/// Expands the derive on the block whose conditions are evaluated.
pub(crate) fn decided(input: TokenStream) -> TokenStream {
    condition::decided(input).unwrap_or_else(syn::Error::into_compile_error)
}

fn describe(behaviour: &syn::Path, options: &TokenStream, block: &TokenStream) -> TokenStream {
    quote!(#behaviour::__describe! { { #options } #block })
}

/// Splits `#[behaviour(path, options…)]` into the path and the options.
pub(crate) fn split_path(arguments: TokenStream) -> syn::Result<(syn::Path, TokenStream)> {
    syn::parse::Parser::parse2(
        |input: ParseStream<'_>| {
            if input.is_empty() {
                let message = "`#[behaviour(path)]` names the behaviour's Rust module, which `otp-rs gen-types` wrote: \
                               `#[behaviour(crate::ranch_protocol)]`";
                return Err(input.error(message));
            }
            let path = input.parse()?;
            if input.peek(syn::Token![,]) {
                input.parse::<syn::Token![,]>()?;
            }
            Ok((path, input.parse()?))
        },
        arguments,
    )
}

/// The input of `implement!`: description, options, block.
struct Input {
    description: description::Description,
    options: BehaviourOptions,
    block: syn::ItemImpl,
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let content;
        syn::braced!(content in input);
        let description = content.parse()?;
        let content;
        syn::braced!(content in input);
        let options = content.parse()?;
        let block = block(input, &description)?;
        Ok(Input {
            description,
            options,
            block,
        })
    }
}

impl Input {
    /// Returns whether processes of the module refuse messages that no clause matches, and
    /// continue.
    ///
    /// # Errors
    /// The behaviour's processes do not support this.
    fn refuses_bad_messages(&self) -> syn::Result<bool> {
        let behaviour = &self.description.behaviour;
        let mut callbacks = self.description.callbacks.iter();
        match &self.options.refuses_bad_messages {
            Some(span) if !callbacks.any(|it| it.has(Flag::Keeps)) => {
                let message = format!(
                    "`{BAD_MESSAGES}` is for what other processes send, and a `{behaviour}` has no callback for that"
                );
                Err(syn::Error::new(*span, message))
            }
            refuses => Ok(refuses.is_some()),
        }
    }

    /// Returns whether the state is visible to its callbacks only.
    ///
    /// # Errors
    /// The behaviour's processes have no state.
    fn is_secret(&self) -> syn::Result<bool> {
        match &self.options.is_secret {
            Some(span) if !self.description.has_state() => {
                let behaviour = &self.description.behaviour;
                let message = format!("`{SECRET}` is for a state, and a `{behaviour}` has none");
                Err(syn::Error::new(*span, message))
            }
            secret => Ok(secret.is_some()),
        }
    }
}

/// Parses the `impl` block, with any attributes between it and that of the behaviour.
fn block(
    input: ParseStream<'_>,
    description: &description::Description,
) -> syn::Result<syn::ItemImpl> {
    let attributes = input.call(syn::Attribute::parse_outer)?;
    if !input.peek(syn::Token![impl]) {
        let (behaviour, umbrella) = (&description.behaviour, &description.umbrella);
        let message = format!("`#[{behaviour}]` stands above the block `impl {umbrella} for …`");
        return Err(input.error(message));
    }
    let mut block: syn::ItemImpl = input.parse()?;
    block.attrs.splice(..0, attributes);
    Ok(block)
}

/// Expands `implement! { {description} {options} impl … }`.
pub(crate) fn implement(input: TokenStream) -> TokenStream {
    let mut input = match syn::parse2::<Input>(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    if let Some(error) = second::block(&input) {
        // The block above implements the traits.
        return error.into_compile_error();
    }
    let second = second::attribute(&mut input).map(syn::Error::into_compile_error);
    if second.is_some() && !second::is_of_first(&input) {
        let block = &input.block;
        return quote!(#second #block);
    }
    let expanded = expand::expand(&input).unwrap_or_else(|error| {
        let (error, stand_in) = (error.into_compile_error(), expand::stand_in(&input));
        quote!(#error #stand_in)
    });
    quote!(#second #expanded)
}
