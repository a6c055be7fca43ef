//! Finds arguments and variables that a method discards although someone waits for them: a caller,
//! or one end of a channel.

use otp_contract::behaviour::Role;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Error, Expr, ExprAssign, FnArg, ImplItemFn, Item, Local, Macro, Pat, Result, Stmt, Type,
};

use super::description::Callback;
use super::effects::last_segment;
use super::waiting::Waiting;

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
        let thrown_away = thrown_away(&method.block, &words);
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
    let mut ends = Ends {
        words,
        waiting: Waiting::of(method),
        error: None,
    };
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

/// Macros that only show their arguments.
const SHOWING: [&str; 11] = [
    "print", "println", "eprint", "eprintln", "format", "trace", "debug", "info", "warn", "error",
    "log",
];

/// Returns the variables that are only discarded or shown: `let _ = name;`, `let _: Type = &name;`,
/// `_ = name;`, `name;`, `Some(name);` and `println!("{name:?}")`. With `drop(name)`, the user
/// states that it is intended.
fn thrown_away(block: &Block, words: &[String]) -> Vec<String> {
    let found = Vec::new();
    let mut discarded = Discarded { words, found };
    discarded.visit_block_mut(&mut block.clone());
    discarded.found
}

/// See [`thrown_away`].
struct Discarded<'w> {
    words: &'w [String],
    found: Vec<String>,
}

impl Discarded<'_> {
    fn add(&mut self, value: &Expr) {
        match value {
            Expr::Path(path) => {
                let name = path.path.get_ident();
                self.found.extend(name.map(ToString::to_string));
            }
            Expr::Reference(value) => self.add(&value.expr),
            Expr::Paren(value) => self.add(&value.expr),
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(|it| self.add(it)),
            // `Some(caller)`
            Expr::Call(call) if is_upper(&call.func) => {
                call.args.iter().for_each(|it| self.add(it));
            }
            _ => {}
        }
    }
}

impl VisitMut for Discarded<'_> {
    fn visit_local_mut(&mut self, local: &mut Local) {
        visit_mut::visit_local_mut(self, local);
        let pattern = match &local.pat {
            Pat::Type(typed) => &*typed.pat,
            pattern => pattern,
        };
        if let (Some(_), Some(init)) = (unused(pattern, self.words, 1), &local.init) {
            self.add(&init.expr);
        }
    }

    fn visit_expr_assign_mut(&mut self, assign: &mut ExprAssign) {
        visit_mut::visit_expr_assign_mut(self, assign);
        if let Expr::Infer(_) = &*assign.left {
            self.add(&assign.right);
        }
    }

    fn visit_stmt_mut(&mut self, statement: &mut Stmt) {
        visit_mut::visit_stmt_mut(self, statement);
        if let Stmt::Expr(value, Some(_)) = statement {
            self.add(value);
        }
    }

    fn visit_macro_mut(&mut self, called: &mut Macro) {
        let last = called.path.segments.last();
        if last.is_some_and(|it| SHOWING.iter().any(|name| it.ident == name)) {
            words_of(called.tokens.clone(), &mut self.found);
        }
    }
}

/// Returns whether this is a path to a variant or a type.
fn is_upper(function: &Expr) -> bool {
    let name = last_segment(function).map(|it| it.to_string());
    name.is_some_and(|it| it.starts_with(char::is_uppercase))
}

struct Ends {
    words: Vec<String>,
    waiting: Waiting,
    error: Option<Error>,
}

impl VisitMut for Ends {
    /// `let (_, receiver) = cx.oneshot();`, `Cx::oneshot(cx)`
    fn visit_local_mut(&mut self, local: &mut Local) {
        visit_mut::visit_local_mut(self, local);
        let (of_context, method) = match local.init.as_ref().map(|init| &*init.expr) {
            Some(Expr::MethodCall(made)) => {
                let is_context = self.waiting.is_context_expression(&made.receiver);
                (is_context, Some(made.method.clone()))
            }
            Some(Expr::Call(made)) => {
                let context = self.waiting.context_of(&made.func, &made.args);
                (context.is_some(), last_segment(&made.func))
            }
            _ => return,
        };
        let Pat::Tuple(ends) = &local.pat else {
            return;
        };
        let is_made = method.is_some_and(|it| it == "oneshot" || it == "channel");
        if ends.elems.len() != 2 || !is_made || !of_context {
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
