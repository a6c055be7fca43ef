//! Finds arguments and variables that a method discards although someone waits for them: a caller,
//! or one end of a channel.

use otp_contract::behaviour::Role;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Error, Expr, FnArg, ImplItemFn, Item, Local, Pat, Result, Type};

use super::description::Callback;

/// Words in a method that ends its process. The caller then sees the exit.
const ENDING: [&str; 10] = [
    "stop",
    "Stop",
    "Err",
    "panic",
    "todo",
    "unimplemented",
    "unreachable",
    "assert",
    "exit",
    "unwrap",
];

/// Rejects a method whose caller would wait in vain for a reply, or that discards an end of a
/// channel that the other end waits for.
pub(super) fn check(callback: &Callback, method: &mut ImplItemFn) -> Result<()> {
    let mut arguments = callback.arguments.iter();
    let takes_caller = arguments.any(|it| it.role == Role::Caller);
    let mut words = Vec::new();
    words_of(method.block.to_token_stream(), &mut words);
    if takes_caller && !words.iter().any(|it| ENDING.contains(&it.as_str())) {
        let thrown_away = thrown_away(method.block.to_token_stream());
        let mut callers = method.sig.inputs.iter().filter_map(caller);
        let unused =
            |pattern| unused(pattern, &words, 0).or_else(|| dropped(pattern, &words, &thrown_away));
        if let Some(unused) = callers.find_map(unused) {
            return Err(Error::new(
                unused,
                "this caller never gets a reply: call `caller.reply(cx, …)`, or keep the caller in the state. To reply \
                 immediately, remove the argument `Caller`, and return `reply(…)`",
            ));
        }
    }
    let mut ends = Ends { words, error: None };
    ends.visit_block_mut(&mut method.block);
    ends.error.map_or(Ok(()), Err)
}

/// Returns the name of an argument `caller: Caller<Reply>`.
fn caller(argument: &FnArg) -> Option<&Pat> {
    let FnArg::Typed(argument) = argument else {
        return None;
    };
    let Type::Path(path) = &*argument.ty else {
        return None;
    };
    (path.path.segments.last()?.ident == "Caller").then_some(&*argument.pat)
}

/// Returns the span of a pattern whose value is not used. `own` is the number of times that its
/// name occurs by itself.
fn unused(pattern: &Pat, words: &[String], own: usize) -> Option<Span> {
    let is_unused = match pattern {
        Pat::Wild(_) => true,
        Pat::Ident(variable) => {
            let name = variable.ident.to_string();
            name.starts_with('_') && words.iter().filter(|it| **it == name).count() == own
        }
        _ => false,
    };
    is_unused.then(|| pattern.span())
}

/// Returns the span of a caller that is only discarded.
fn dropped(pattern: &Pat, words: &[String], thrown_away: &[String]) -> Option<Span> {
    let Pat::Ident(variable) = pattern else {
        return None;
    };
    let name = variable.ident.to_string();
    let uses = words.iter().filter(|it| **it == name).count();
    (uses == 1 && thrown_away.contains(&name)).then(|| pattern.span())
}

/// Returns the variables of `let _ = name;` and `_ = name;`. With `drop(name)`, the user states
/// that it is intended.
fn thrown_away(tokens: TokenStream) -> Vec<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut names = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let texts: Vec<String> = tokens[index..]
            .iter()
            .take(4)
            .map(ToString::to_string)
            .collect();
        if let [wild, equals, name, end] = &texts[..]
            && (wild.as_str(), equals.as_str(), end.as_str()) == ("_", "=", ";")
        {
            names.push(name.clone());
        }
        if let TokenTree::Group(group) = token {
            names.extend(thrown_away(group.stream()));
        }
    }
    names
}

struct Ends {
    words: Vec<String>,
    error: Option<Error>,
}

impl VisitMut for Ends {
    /// `let (_, receiver) = cx.oneshot();`
    fn visit_local_mut(&mut self, local: &mut Local) {
        visit_mut::visit_local_mut(self, local);
        let Some(Expr::MethodCall(made)) = local.init.as_ref().map(|init| &*init.expr) else {
            return;
        };
        let Pat::Tuple(ends) = &local.pat else {
            return;
        };
        if ends.elems.len() != 2 || !(made.method == "oneshot" || made.method == "channel") {
            return;
        }
        let messages = [
            "this receiver never gets a value: its sender is not used",
            "sent values are never received: the receiver is not used",
        ];
        let unused = ends.elems.iter().zip(messages).find_map(|(end, message)| {
            unused(end, &self.words, 1).map(|span| Error::new(span, message))
        });
        self.error = self.error.take().or(unused);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Collects the words of a method, including those in its texts, which may be those of a `format!`.
fn words_of(tokens: TokenStream, words: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => words.push(word.to_string()),
            TokenTree::Group(group) => words_of(group.stream(), words),
            TokenTree::Literal(text) => {
                let text = text.to_string();
                let parts = text.split(|it: char| !it.is_alphanumeric() && it != '_');
                words.extend(parts.map(str::to_owned));
            }
            TokenTree::Punct(_) => {}
        }
    }
}
