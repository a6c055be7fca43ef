//! Checks methods after whose return the process keeps nothing for them: their tasks and clients
//! end with the call, and no clause would match messages that arrive later.

use proc_macro2::{Delimiter, Ident, TokenTree};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Error, Expr, ExprClosure, ImplItemFn, Item, ItemFn, Macro, Result};

use super::description::Description;
use super::effects::{self, last_segment};
use super::ignored;
use super::literals::{self, Constants};
use super::waiting::Waiting;

/// These start something that runs in tasks of the process.
const TASKS: [&str; 2] = ["spawn_task", "client"];
/// These cause messages to the process.
const TIMERS: [&str; 3] = ["send_after", "send_interval", "start_timer"];
/// These cause messages to the process as well. In a function of a module, its caller may receive
/// them.
const SOURCES: [&str; 2] = ["sender", "monitor_nodes"];
/// Messages of these can be waited for.
const WAITED_FOR: [&str; 2] = ["monitor", "pending_request"];

/// A kind of methods.
struct Place {
    /// As a message names it.
    noun: &'static str,
    /// Whether their process has clauses for messages, or may be one that has.
    has_clauses: bool,
    is_module: bool,
}

/// Rejects a callback that starts what ends when it returns, or whose messages no clause receives.
pub(super) fn check(description: &Description, method: &ImplItemFn) -> Result<()> {
    let place = |noun, has_clauses| Place {
        noun,
        has_clauses,
        is_module: false,
    };
    let place = match description.behaviour.to_string().as_str() {
        "supervisor" => place("a supervisor", false),
        "supervisor_bridge" => place("a `supervisor_bridge`", false),
        "application" => place("a callback of an application", false),
        "gen_event" => place("an event handler", true),
        _ => return Ok(()),
    };
    place.check(method)
}

/// Checks a function of a module in the same way as a callback.
pub(crate) fn check_function(function: &mut ItemFn) -> Result<()> {
    let (signature, block) = (&function.sig, &function.block);
    let mut method: ImplItemFn = syn::parse_quote!(#signature #block);
    let place = Place {
        noun: "a function of a module",
        has_clauses: false,
        is_module: true,
    };
    place.check(&method)?;
    ignored::hand_over(&mut method);
    *function.block = method.block;
    Ok(())
}

impl Place {
    fn check(&self, method: &ImplItemFn) -> Result<()> {
        let waiting = Waiting::of(method);
        let mut calls = Calls {
            place: self,
            waiting: &waiting,
            constants: &Constants::of(method),
            error: None,
        };
        if !self.has_clauses {
            calls.visit_block_mut(&mut method.block.clone());
        }
        let tokens: Vec<TokenTree> = method.block.to_token_stream().into_iter().collect();
        let error = calls.error.or_else(|| {
            let is_repeated = has_word(&tokens, &["loop", "while", "for"]);
            let left = self.left(&tokens, &waiting, is_repeated && awaits(&tokens));
            left.map(|call| self.ends_with_it(call))
        });
        error.map_or(Ok(()), Err)
    }

    /// Returns a call that starts something, and after which the method never waits. `awaited` says
    /// whether it waits after these tokens.
    fn left(&self, tokens: &[TokenTree], waiting: &Waiting, mut awaited: bool) -> Option<Ident> {
        for (index, token) in tokens.iter().enumerate().rev() {
            match token {
                TokenTree::Ident(word) => awaited |= word == "await",
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    if let Some(call) = started(&tokens[..index], waiting)
                        && group.delimiter() == Delimiter::Parenthesis
                        && !awaited
                    {
                        return Some(call);
                    }
                    // The body of a task or of a closure runs elsewhere.
                    let is_closure = inner.iter().any(|it| it.to_string() == "|");
                    if !is_closure {
                        if let Some(call) = self.left(&inner, waiting, awaited) {
                            return Some(call);
                        }
                        awaited |= awaits(&inner);
                    }
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
        None
    }

    fn ends_with_it(&self, call: Ident) -> Error {
        let (what, noun) = match call.to_string().as_str() {
            "client" => ("this client refuses every call", self.noun),
            _ => ("this task ends immediately", self.noun),
        };
        let message = format!(
            "{what}, because {noun} keeps no tasks when it returns: await it here, start it in a `gen_server`, or use \
             `cx.spawn_process`"
        );
        Error::new(call.span(), message)
    }
}

/// Returns the name of the method, if these tokens end with `cx.spawn_task`, `Cx::spawn_task` or a
/// similar call.
fn started(before: &[TokenTree], waiting: &Waiting) -> Option<Ident> {
    let (TokenTree::Ident(method), before) = before.split_last()? else {
        return None;
    };
    let is_word = |token: &TokenTree, is: &dyn Fn(&Ident) -> bool| matches!(token, TokenTree::Ident(name) if is(name));
    let is_call = match before {
        [.., of, TokenTree::Punct(first), TokenTree::Punct(_)] if first.as_char() == ':' => {
            is_word(of, &|it| it == "Cx")
        }
        [.., of, TokenTree::Punct(dot)] if dot.as_char() == '.' => {
            is_word(of, &|it| waiting.is_context(it))
        }
        _ => false,
    };
    (is_call && TASKS.iter().any(|task| method == task)).then(|| method.clone())
}

/// Returns whether these tokens wait for anything, outside of closures.
fn awaits(tokens: &[TokenTree]) -> bool {
    has_word(tokens, &["await"])
}

fn has_word(tokens: &[TokenTree], words: &[&str]) -> bool {
    tokens.iter().any(|token| match token {
        TokenTree::Ident(word) => words.iter().any(|it| word == it),
        TokenTree::Group(group) => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            has_word(&inner, words)
        }
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

struct Calls<'c> {
    place: &'c Place,
    waiting: &'c Waiting,
    constants: &'c Constants,
    error: Option<Error>,
}

impl Calls<'_> {
    /// Returns the method that is called on the context: `cx.monitor(…)`, `Cx::monitor(cx, …)`.
    fn method(&self, call: &Expr) -> Option<Ident> {
        match call {
            Expr::MethodCall(call) => {
                let is_context = self.waiting.is_context_expression(&call.receiver);
                is_context.then(|| call.method.clone())
            }
            Expr::Call(call) => {
                self.waiting.context_of(&call.func, &call.args)?;
                last_segment(&call.func)
            }
            _ => None,
        }
    }

    fn check(&self, call: &Expr) -> Option<Error> {
        let method = self.method(call)?;
        if let Some((span, message)) = literals::mistake(call, self.waiting, self.constants) {
            return Some(Error::new(span, message));
        }
        let is = |names: &[&str]| names.iter().any(|name| method == *name);
        let waiting = self.waiting;
        let waits = waiting.waits_for_down || waiting.hands_over || waiting.ends("monitor");
        let is_source =
            is(&TIMERS) || !self.place.is_module && (is(&SOURCES) || is(&WAITED_FOR) && !waits);
        let noun = self.place.noun;
        let message = format!(
            "{noun} has no clause for the message of `{method}`: receive it here (`cx.receive`), or call this in a \
             `gen_server` with a clause for it"
        );
        (is_source && !waiting.receives).then(|| Error::new(method.span(), message))
    }
}

impl VisitMut for Calls<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        self.error = self.error.take().or_else(|| self.check(expression));
    }

    fn visit_macro_mut(&mut self, called: &mut Macro) {
        for mut argument in effects::arguments(called).into_iter().flatten() {
            self.visit_expr_mut(&mut argument);
        }
    }

    /// A task has the context of its process, but a process of its own has a mailbox of its own.
    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        if closure.asyncness.is_none() {
            visit_mut::visit_expr_closure_mut(self, closure);
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
