//! Arguments of the attribute:
//! `#[gen_server(module = "counter", bad_messages = "refuse", secret)]`.

use otp_contract::behaviour::{BAD_MESSAGES, REFUSE, SECRET};
use otp_contract::erlang::is_module_name;
use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};

/// The attribute's arguments.
#[derive(Default)]
pub(crate) struct BehaviourOptions {
    /// Name of the Erlang module, if it differs from the type's name in snake case.
    pub(crate) module: Option<syn::LitStr>,
    /// The span of the option that makes processes refuse messages without a matching clause.
    pub(crate) refuses_bad_messages: Option<Span>,
    /// The span of the option that makes the state secret.
    pub(crate) is_secret: Option<Span>,
}

impl Parse for BehaviourOptions {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut options = BehaviourOptions::default();
        while !input.is_empty() {
            let key: syn::Ident = input.parse()?;
            if key == "module" {
                options.module = Some(module_name(value(input)?)?);
            } else if key == BAD_MESSAGES {
                options.refuses_bad_messages = Some(refuses(&key, &value(input)?)?);
            } else if key == SECRET {
                options.is_secret = Some(alone(&key, input)?);
            } else {
                let message = format!(
                    "unknown option `{key}`; there are `module = \"name\"`, `{BAD_MESSAGES} = \"{REFUSE}\"` and `{SECRET}`"
                );
                return Err(syn::Error::new(key.span(), message));
            }
            if !input.is_empty() {
                input.parse::<syn::Token![,]>()?;
            }
        }
        Ok(options)
    }
}

fn value(input: ParseStream<'_>) -> syn::Result<syn::LitStr> {
    input.parse::<syn::Token![=]>()?;
    input.parse()
}

/// Parses an option without a value.
fn alone(key: &syn::Ident, input: ParseStream<'_>) -> syn::Result<Span> {
    if input.is_empty() || input.peek(syn::Token![,]) {
        return Ok(key.span());
    }
    Err(input.error(format!("`{key}` has no value: write `{key}` alone")))
}

fn module_name(name: syn::LitStr) -> syn::Result<syn::LitStr> {
    if is_module_name(&name.value()) {
        return Ok(name);
    }
    let message = "a module's name is a lower-case letter, then letters, digits and `_`";
    Err(syn::Error::new(name.span(), message))
}

fn refuses(key: &syn::Ident, value: &syn::LitStr) -> syn::Result<Span> {
    if value.value() == REFUSE {
        return Ok(key.span());
    }
    let message = format!(
        "bad messages can be refused: `{BAD_MESSAGES} = \"{REFUSE}\"`; without the option the process ends, as in Erlang"
    );
    Err(syn::Error::new(value.span(), message))
}
