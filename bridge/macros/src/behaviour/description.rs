//! The description of a behaviour that generated code hands over.
//!
//! ```text
//! behaviour = gen_server; path = $crate::gen_server; umbrella = GenServer;
//! callback handle_call / 3 {
//!     method = handle_call; callback_trait = HandleCall; required;
//!     arguments = [open Request, fixed From, state State];
//!     erlang = "-callback handle_call(…) -> ….";
//! }
//! ```

use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, LitInt, LitStr, Token};

pub(crate) struct Description {
    pub(crate) behaviour: Ident,
    pub(crate) path: syn::Path,
    pub(crate) umbrella: Ident,
    pub(crate) callbacks: Vec<Callback>,
}

pub(crate) struct Callback {
    /// Its name in Erlang.
    pub(crate) name: Ident,
    pub(crate) arity: usize,
    /// Its name in Rust.
    pub(crate) method: Ident,
    pub(crate) callback_trait: Ident,
    pub(crate) required: bool,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) erlang: String,
}

/// What an argument is to the type system.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The start argument: an associated type of the umbrella trait.
    Args,
    /// Any term: the clause says which type.
    Open,
    /// A type that the behaviour fixes.
    Fixed,
    /// The state: `self`.
    State,
}

pub(crate) struct Argument {
    pub(crate) role: Role,
    pub(crate) name: Ident,
}

impl Description {
    /// Name of the umbrella trait's associated type for the start argument.
    pub(crate) fn start_argument(&self) -> Option<&Ident> {
        let arguments = self
            .callbacks
            .iter()
            .flat_map(|callback| &callback.arguments);
        arguments
            .filter(|argument| argument.role == Role::Args)
            .map(|argument| &argument.name)
            .next()
    }

    /// Whether any callback takes the state.
    pub(crate) fn has_state(&self) -> bool {
        self.callbacks.iter().any(Callback::has_state)
    }
}

impl Callback {
    pub(crate) fn has_state(&self) -> bool {
        self.arguments
            .iter()
            .any(|argument| argument.role == Role::State)
    }

    /// The arguments that a Rust method takes beside `self`.
    pub(crate) fn plain_arguments(&self) -> impl Iterator<Item = &Argument> {
        self.arguments
            .iter()
            .filter(|argument| argument.role != Role::State)
    }

    /// Whether a clause for each message type is possible, and so none at all.
    pub(crate) fn is_open(&self) -> bool {
        self.arguments
            .iter()
            .any(|argument| argument.role == Role::Open)
    }

    /// `handle_call/3`
    pub(crate) fn label(&self) -> String {
        format!("{}/{}", self.name, self.arity)
    }
}

impl Parse for Description {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let behaviour = entry(input, "behaviour")?;
        let path = entry(input, "path")?;
        let umbrella = entry(input, "umbrella")?;
        let mut callbacks = Vec::new();
        while !input.is_empty() {
            callbacks.push(input.parse()?);
        }
        Ok(Description {
            behaviour,
            path,
            umbrella,
            callbacks,
        })
    }
}

impl Parse for Callback {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        keyword(input, "callback")?;
        let name = Ident::parse_any(input)?;
        input.parse::<Token![/]>()?;
        let arity = input.parse::<LitInt>()?.base10_parse()?;
        let content;
        syn::braced!(content in input);
        let method = entry(&content, "method")?;
        let callback_trait = entry(&content, "callback_trait")?;
        let presence: Ident = content.parse()?;
        content.parse::<Token![;]>()?;
        keyword(&content, "arguments")?;
        content.parse::<Token![=]>()?;
        let list;
        syn::bracketed!(list in content);
        let arguments = Punctuated::<Argument, Token![,]>::parse_terminated(&list)?;
        content.parse::<Token![;]>()?;
        let erlang = entry::<LitStr>(&content, "erlang")?.value();
        Ok(Callback {
            name,
            arity,
            method,
            callback_trait,
            required: presence == "required",
            arguments: arguments.into_iter().collect(),
            erlang,
        })
    }
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let role: Ident = input.parse()?;
        let role = match role.to_string().as_str() {
            "args" => Role::Args,
            "open" => Role::Open,
            "fixed" => Role::Fixed,
            "state" => Role::State,
            other => {
                return Err(syn::Error::new(
                    role.span(),
                    format!("unknown role `{other}`"),
                ));
            }
        };
        Ok(Argument {
            role,
            name: input.parse()?,
        })
    }
}

fn keyword(input: ParseStream<'_>, word: &str) -> syn::Result<()> {
    let found = Ident::parse_any(input)?;
    if found == word {
        Ok(())
    } else {
        Err(syn::Error::new(found.span(), format!("expected `{word}`")))
    }
}

fn entry<T: Parse>(input: ParseStream<'_>, word: &str) -> syn::Result<T> {
    keyword(input, word)?;
    input.parse::<Token![=]>()?;
    let value = input.parse()?;
    input.parse::<Token![;]>()?;
    Ok(value)
}
