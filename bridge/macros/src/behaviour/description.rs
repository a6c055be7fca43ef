//! The description of a behaviour that generated code hands over.
//!
//! ```text
//! behaviour = gen_server; path = $crate::gen_server; umbrella = GenServer; started;
//! callback handle_call / 3 {
//!     method = handle_call_noreply; written = handle_call; callback_trait = HandleCallNoreply; required; call;
//!     arguments = [open Request, fixed From, state State];
//!     erlang = "-callback handle_call(…) -> ….";
//! }
//! ```
//!
//! `started;`: the behaviour starts processes of its modules. `chosen = State;`: the callbacks hand
//! each other a type that the implementation chooses; those that have it say `chosen;`. `written`:
//! the name that users write, where it is not the trait's `method`; among callbacks of one written name
//! the number of arguments chooses. `ends;`: the callback has the state for the last time. `call;`: what it
//! takes is a call, whose reply the request's type fixes. `any_name;`: it stands for functions of any name.
//! `answer = { one_of "atom" [methods]; also "atom" [methods]; };`: what it returns when it is left
//! out. A `choice` is an `open` argument by which clauses are told apart. Several descriptions of one
//! function are clauses of it.

use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, LitInt, LitStr, Token};

pub(crate) struct Description {
    pub(crate) behaviour: Ident,
    pub(crate) path: syn::Path,
    pub(crate) umbrella: Ident,
    /// Whether the behaviour starts processes of its modules.
    pub(crate) started: bool,
    /// The type that the callbacks hand to each other.
    pub(crate) chosen: Option<Ident>,
    pub(crate) callbacks: Vec<Callback>,
}

pub(crate) struct Callback {
    /// Its name in Erlang.
    pub(crate) name: Ident,
    pub(crate) arity: usize,
    /// The method of its trait.
    pub(crate) method: Ident,
    /// The name that users write.
    pub(crate) written: Ident,
    pub(crate) callback_trait: Ident,
    pub(crate) required: bool,
    /// Has the state for the last time.
    pub(crate) ends: bool,
    /// Takes a call, whose reply its request fixes.
    pub(crate) call: bool,
    /// Returns a reply, whose type its request fixes.
    pub(crate) replies: bool,
    /// Stands for functions of any name.
    pub(crate) any_name: bool,
    /// Has the type that the callbacks hand to each other.
    pub(crate) chosen: bool,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) answer: Option<Answer>,
    pub(crate) erlang: String,
}

/// What a callback returns that is left out, told by the others: each an atom, and the methods
/// that call for it.
#[derive(Default)]
pub(crate) struct Answer {
    /// Exactly one of these.
    pub(crate) one_of: Vec<(String, Vec<Ident>)>,
    /// And these.
    pub(crate) also: Vec<(String, Vec<Ident>)>,
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
    /// Of the type that the callbacks hand to each other: an associated type of the umbrella trait.
    Chosen,
    /// The atom that tells the callback from others of its name; the method does not take it.
    Literal,
    /// The caller of a request, typed by its reply.
    Caller,
    /// Not for the method: the caller, where the return already holds the reply.
    Hidden,
}

pub(crate) struct Argument {
    pub(crate) role: Role,
    /// Whether it is what tells clauses apart.
    pub(crate) tells_apart: bool,
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
            .filter(|argument| match argument.role {
                Role::Args | Role::Open | Role::Fixed | Role::Chosen | Role::Caller => true,
                Role::State | Role::Literal | Role::Hidden => false,
            })
    }

    /// The place among the open arguments of the request that fixes the reply.
    pub(crate) fn request(&self) -> Option<usize> {
        let mut open = self
            .arguments
            .iter()
            .filter(|argument| argument.role == Role::Open);
        open.position(|argument| argument.name == "Request")
            .filter(|_| self.call || self.replies)
    }

    /// The place of the state among the arguments.
    pub(crate) fn state(&self) -> Option<usize> {
        self.arguments
            .iter()
            .position(|argument| argument.role == Role::State)
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
        let started = flag(input, "started")?;
        let chosen = match next_is(input, "chosen") {
            true => Some(entry(input, "chosen")?),
            false => None,
        };
        let mut callbacks = Vec::new();
        while !input.is_empty() {
            callbacks.push(input.parse()?);
        }
        Ok(Description {
            behaviour,
            path,
            umbrella,
            started,
            chosen,
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
        let method: Ident = entry(&content, "method")?;
        let written = match next_is(&content, "written") {
            true => entry(&content, "written")?,
            false => method.clone(),
        };
        let callback_trait = entry(&content, "callback_trait")?;
        let presence: Ident = content.parse()?;
        content.parse::<Token![;]>()?;
        let ends = flag(&content, "ends")?;
        let call = flag(&content, "call")?;
        let replies = flag(&content, "replies")?;
        let any_name = flag(&content, "any_name")?;
        let chosen = flag(&content, "chosen")?;
        keyword(&content, "arguments")?;
        content.parse::<Token![=]>()?;
        let list;
        syn::bracketed!(list in content);
        let arguments = Punctuated::<Argument, Token![,]>::parse_terminated(&list)?;
        content.parse::<Token![;]>()?;
        let answer = match next_is(&content, "answer") {
            true => Some(entry(&content, "answer")?),
            false => None,
        };
        let erlang = entry::<LitStr>(&content, "erlang")?.value();
        Ok(Callback {
            name,
            arity,
            method,
            written,
            callback_trait,
            required: presence == "required",
            ends,
            call,
            replies,
            any_name,
            chosen,
            arguments: arguments.into_iter().collect(),
            answer,
            erlang,
        })
    }
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let role: Ident = input.parse()?;
        let tells_apart = role == "choice";
        let role = match role.to_string().as_str() {
            "args" => Role::Args,
            "open" | "choice" => Role::Open,
            "fixed" => Role::Fixed,
            "state" => Role::State,
            "chosen" => Role::Chosen,
            "literal" => Role::Literal,
            "caller" => Role::Caller,
            "hidden" => Role::Hidden,
            other => {
                return Err(syn::Error::new(
                    role.span(),
                    format!("unknown role `{other}`"),
                ));
            }
        };
        Ok(Argument {
            role,
            tells_apart,
            name: input.parse()?,
        })
    }
}

impl Parse for Answer {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let content;
        syn::braced!(content in input);
        let mut answer = Answer::default();
        while !content.is_empty() {
            let kind: Ident = content.parse()?;
            let atom = content.parse::<LitStr>()?.value();
            let list;
            syn::bracketed!(list in content);
            let methods = Punctuated::<Ident, Token![,]>::parse_terminated(&list)?;
            content.parse::<Token![;]>()?;
            let entry = (atom, methods.into_iter().collect());
            if kind == "one_of" {
                answer.one_of.push(entry);
            } else {
                answer.also.push(entry);
            }
        }
        Ok(answer)
    }
}

/// Whether the next token is this word.
fn next_is(input: ParseStream<'_>, word: &str) -> bool {
    let fork = input.fork();
    Ident::parse_any(&fork).is_ok_and(|found| found == word)
}

/// `word;`, if it is there.
fn flag(input: ParseStream<'_>, word: &str) -> syn::Result<bool> {
    let fork = input.fork();
    let there = Ident::parse_any(&fork).is_ok_and(|found| found == word) && fork.peek(Token![;]);
    if there {
        keyword(input, word)?;
        input.parse::<Token![;]>()?;
    }
    Ok(there)
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
