//! The description of a behaviour, which generated code passes in the format of
//! `otp_contract::behaviour`.

use otp_contract::behaviour::{AnswerPart, EffectPart, Flag, Key, REQUEST, Role};
use otp_contract::callback::CallbackKind;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, LitInt, LitStr, Token};

pub(crate) struct Description {
    pub(crate) behaviour: Ident,
    pub(crate) path: syn::Path,
    pub(crate) umbrella: Ident,
    /// The type of references to processes of its modules, if the behaviour starts them.
    pub(crate) started: Option<syn::Path>,
    /// The trait with the type of a module's children.
    pub(crate) children: Option<syn::Path>,
    /// The type that the callbacks pass to each other.
    pub(crate) chosen: Option<Ident>,
    /// Return values and methods that trigger other callbacks.
    pub(crate) effects: Option<Effects>,
    pub(crate) callbacks: Vec<Callback>,
}

/// Return values and methods that trigger another callback.
#[derive(Default)]
pub(crate) struct Effects {
    /// Tuples: their first atom and their size.
    pub(crate) tuples: Vec<(Ident, usize)>,
    /// Functions, with their number of arguments.
    pub(crate) calls: Vec<(Ident, usize)>,
    /// Methods of the context, with their number of arguments: the last one is a message to the
    /// process.
    pub(crate) methods: Vec<(Ident, usize)>,
    /// Methods that make messages arrive later: their number of arguments, and the messages.
    pub(crate) later: Vec<(Ident, usize, Vec<Ident>)>,
    /// The method that receives messages.
    pub(crate) message: Option<Ident>,
    /// Methods of the callbacks that are triggered.
    pub(crate) taken_by: Vec<Ident>,
    /// The method that is called with an atom.
    pub(crate) atom: Option<(Ident, String)>,
}

pub(crate) struct Callback {
    /// Its name in Erlang, which need not be valid in Rust.
    pub(crate) name: String,
    pub(crate) arity: usize,
    /// The method of its trait.
    pub(crate) method: Ident,
    /// The name that users write.
    pub(crate) written: Ident,
    pub(crate) callback_trait: Ident,
    /// When it is called.
    pub(crate) kind: CallbackKind,
    pub(crate) required: bool,
    pub(crate) flags: Vec<Flag>,
    pub(crate) arguments: Vec<CallbackArgument>,
    /// The text after the `->` of a method, and a possible end of its body, unless it may return
    /// nothing.
    pub(crate) result: Option<(String, String)>,
    pub(crate) answer: Option<Answer>,
    pub(crate) erlang: String,
}

/// The result of a callback that users do not write. It depends on the existing methods: each atom
/// is listed with the methods that require it.
#[derive(Default)]
pub(crate) struct Answer {
    /// Exactly one of these.
    pub(crate) one_of: Vec<(String, Vec<Ident>)>,
    /// And any of these.
    pub(crate) also: Vec<(String, Vec<Ident>)>,
}

pub(crate) struct CallbackArgument {
    pub(crate) role: Role,
    pub(crate) name: Ident,
}

impl Description {
    /// Returns the name of the umbrella trait's associated type for the start argument.
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

    /// Returns whether any callback takes the state.
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

    pub(crate) fn has(&self, flag: Flag) -> bool {
        self.flags.contains(&flag)
    }

    /// Returns the arguments of a Rust method besides `self`.
    pub(crate) fn plain_arguments(&self) -> impl Iterator<Item = &CallbackArgument> {
        let arguments = self.arguments.iter();
        arguments.filter(|argument| argument.role.is_taken())
    }

    /// Returns the position, among the open arguments, of the request that determines the reply.
    pub(crate) fn request(&self) -> Option<usize> {
        let mut open = self.arguments.iter().filter(|it| it.role.is_open());
        open.position(|argument| argument.name == REQUEST)
            .filter(|_| self.has(Flag::Call) || self.has(Flag::Replies))
    }

    /// Returns whether there can be a clause for each message type, and so also none at all.
    pub(crate) fn is_open(&self) -> bool {
        self.arguments
            .iter()
            .any(|argument| argument.role.is_open())
    }

    /// Returns `handle_call/3`.
    pub(crate) fn label(&self) -> String {
        format!("{}/{}", self.name, self.arity)
    }
}

impl Parse for Description {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let behaviour = entry(input, Key::Behaviour)?;
        let path = entry(input, Key::Path)?;
        let umbrella = entry(input, Key::Umbrella)?;
        let started = optional_entry(input, Key::Started)?;
        let children = optional_entry(input, Key::Children)?;
        let chosen = optional_entry(input, Key::Chosen)?;
        let effects = optional_entry(input, Key::Effects)?;
        let mut callbacks = Vec::new();
        while !input.is_empty() {
            callbacks.push(input.parse()?);
        }
        Ok(Description {
            behaviour,
            path,
            umbrella,
            started,
            children,
            chosen,
            effects,
            callbacks,
        })
    }
}

impl Parse for Callback {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        keyword(input, Key::Callback)?;
        let name = if input.peek(LitStr) {
            input.parse::<LitStr>()?.value()
        } else {
            Ident::parse_any(input)?.to_string()
        };
        input.parse::<Token![/]>()?;
        let arity = input.parse::<LitInt>()?.base10_parse()?;
        let content;
        syn::braced!(content in input);
        let method: Ident = entry(&content, Key::Method)?;
        let written = optional_entry(&content, Key::Written)?;
        let callback_trait = entry(&content, Key::CallbackTrait)?;
        let Word(kind) = entry(&content, Key::Kind)?;
        let required = alone(&content, Key::Required.as_str())?;
        if !required {
            keyword(&content, Key::Optional)?;
            content.parse::<Token![;]>()?;
        }
        let mut flags = Vec::new();
        for flag in Flag::ALL {
            if alone(&content, flag.as_str())? {
                flags.push(*flag);
            }
        }
        let Listed(arguments) = entry(&content, Key::Arguments)?;
        let result = optional_entry(&content, Key::Result)?.and_then(pair);
        let answer = optional_entry(&content, Key::Answer)?;
        let erlang = entry::<LitStr>(&content, Key::Erlang)?.value();
        Ok(Callback {
            name,
            arity,
            written: written.unwrap_or_else(|| method.clone()),
            method,
            callback_trait,
            kind,
            required,
            flags,
            arguments,
            result,
            answer,
            erlang,
        })
    }
}

impl Parse for CallbackArgument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let role = word(input, "role", Role::from_word)?;
        let name = input.parse()?;
        Ok(CallbackArgument { role, name })
    }
}

impl Parse for Answer {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let content;
        syn::braced!(content in input);
        let mut answer = Answer::default();
        while !content.is_empty() {
            let part = word(&content, "part of an answer", AnswerPart::from_word)?;
            let atom = content.parse::<LitStr>()?.value();
            let Listed(methods) = content.parse()?;
            content.parse::<Token![;]>()?;
            match part {
                AnswerPart::OneOf => answer.one_of.push((atom, methods)),
                AnswerPart::Also => answer.also.push((atom, methods)),
            }
        }
        Ok(answer)
    }
}

impl Parse for Effects {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let content;
        syn::braced!(content in input);
        let mut all = Effects::default();
        while !content.is_empty() {
            let part = word(&content, "effect", EffectPart::from_word)?;
            let name = content.parse()?;
            match part {
                EffectPart::Tuple => all.tuples.push((name, size(&content)?)),
                EffectPart::Call => all.calls.push((name, size(&content)?)),
                EffectPart::Method => all.methods.push((name, size(&content)?)),
                EffectPart::Later => {
                    let size = size(&content)?;
                    let Listed(messages) = content.parse()?;
                    all.later.push((name, size, messages));
                }
                EffectPart::MessageTakenBy => all.message = Some(name),
                EffectPart::TakenBy => all.taken_by.push(name),
                EffectPart::AtomTakenBy => {
                    all.atom = Some((name, content.parse::<LitStr>()?.value()));
                }
            }
            content.parse::<Token![;]>()?;
        }
        Ok(all)
    }
}

struct Word(CallbackKind);

impl Parse for Word {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        word(input, "kind of callback", CallbackKind::from_word).map(Word)
    }
}

/// Parses `/ 2`.
fn size(input: ParseStream<'_>) -> syn::Result<usize> {
    input.parse::<Token![/]>()?;
    input.parse::<LitInt>()?.base10_parse()
}

/// `[one, other]`
struct Listed<T>(Vec<T>);

impl<T: Parse> Parse for Listed<T> {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let content;
        syn::bracketed!(content in input);
        let elements = Punctuated::<T, Token![,]>::parse_terminated(&content)?;
        Ok(Listed(elements.into_iter().collect()))
    }
}

fn pair(Listed(texts): Listed<LitStr>) -> Option<(String, String)> {
    match texts.as_slice() {
        [first, second] => Some((first.value(), second.value())),
        _ => None,
    }
}

/// Parses a word that stands for a value.
fn word<T>(
    input: ParseStream<'_>,
    what: &str,
    meaning: impl Fn(&str) -> Option<T>,
) -> syn::Result<T> {
    let word = Ident::parse_any(input)?;
    meaning(&word.to_string())
        .ok_or_else(|| syn::Error::new(word.span(), format!("unknown {what} `{word}`")))
}

/// Parses `word;`, if it is there.
fn alone(input: ParseStream<'_>, word: &str) -> syn::Result<bool> {
    let fork = input.fork();
    let is_there = Ident::parse_any(&fork).is_ok_and(|found| found == word) && fork.peek(Token![;]);
    if is_there {
        Ident::parse_any(input)?;
        input.parse::<Token![;]>()?;
    }
    Ok(is_there)
}

fn keyword(input: ParseStream<'_>, key: Key) -> syn::Result<()> {
    let found = Ident::parse_any(input)?;
    let word = key.as_str();
    if found == word {
        Ok(())
    } else {
        Err(syn::Error::new(found.span(), format!("expected `{word}`")))
    }
}

/// Parses `key = value;`.
fn entry<T: Parse>(input: ParseStream<'_>, key: Key) -> syn::Result<T> {
    keyword(input, key)?;
    input.parse::<Token![=]>()?;
    let value = input.parse()?;
    input.parse::<Token![;]>()?;
    Ok(value)
}

/// Parses `key = value;`, if it is there.
fn optional_entry<T: Parse>(input: ParseStream<'_>, key: Key) -> syn::Result<Option<T>> {
    let fork = input.fork();
    let is_there = Ident::parse_any(&fork).is_ok_and(|found| found == key.as_str());
    is_there.then(|| entry(input, key)).transpose()
}
