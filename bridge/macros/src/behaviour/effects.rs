//! Values in methods that trigger another callback, such as `(continue_, Tick)`. The macro wraps
//! them where they are written, because only the compiler knows their types.
//!
//! ```text
//! (continue_, Tick)     Effect(key::continue_, (continue_, Tick)).check(PhantomData::<Self>)
//! cx.send_after(time, Tick)   cx.send_after(time, Effect(key::send_after, (Tick,)).check(PhantomData::<Self>).0)
//! noreply_with(time)    match Effect(key::noreply_with, (time,)).check(PhantomData::<Self>) { (a0,) => noreply_with(a0) }
//! ```

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Expr, ExprCall, ExprClosure, ExprMethodCall, ExprTuple, ImplItemFn, Item, Local, Macro, Pat,
    Stmt, Token,
};

use super::description::{Description, Effects};
use super::literals::{self, Constants};
use super::waiting::{Waiting, is_of_another_process, methods};
use crate::names::ours;

/// Wraps the values in a method. `block` describes all methods of its block.
pub(super) fn hand_over(description: &Description, method: &mut ImplItemFn, block: &Waiting) {
    let Some(effects) = &description.effects else {
        return;
    };
    let waiting = Waiting::of(method);
    let mut values = Values {
        effects,
        path: &description.path,
        block,
        method: &waiting,
        constants: Constants::of(method),
        is_elsewhere: false,
        is_in_closure: false,
        found: false,
    };
    values.visit_block_mut(&mut method.block);
    if values.found {
        let import = syn::parse_quote!(
            use ::otp_bridge::__private::NoEffect as _;
        );
        method.block.stmts.insert(0, import);
    }
}

struct Values<'d> {
    effects: &'d Effects,
    path: &'d syn::Path,
    /// How the block receives messages itself, and how this method does.
    block: &'d Waiting,
    method: &'d Waiting,
    constants: Constants,
    /// Whether this is in the body of another process, which has no clauses.
    is_elsewhere: bool,
    /// Whether this is in a closure that another thread may call.
    is_in_closure: bool,
    found: bool,
}

impl VisitMut for Values<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        let checked = match expression {
            Expr::MethodCall(_) | Expr::Call(_) if self.has_mistake(expression).is_some() => {
                self.has_mistake(expression)
            }
            _ if self.is_elsewhere => None,
            Expr::Tuple(tuple) => self.tuple(tuple),
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method(call),
            _ => None,
        };
        if let Some(checked) = checked {
            self.found = true;
            *expression = Expr::Verbatim(checked);
        }
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut ExprMethodCall) {
        self.visit_expr_mut(&mut call.receiver);
        let is_process = is_of_another_process(&call.method.to_string(), call.args.len());
        let was_elsewhere = self.is_elsewhere;
        self.is_elsewhere |= is_process;
        call.args.iter_mut().for_each(|it| self.visit_expr_mut(it));
        self.is_elsewhere = was_elsewhere;
    }

    /// `let body = async move |cx| { … };`
    fn visit_local_mut(&mut self, local: &mut Local) {
        let is_body = matches!(&local.pat, Pat::Ident(it) if self.method.is_body(&it.ident));
        let is_closure = local
            .init
            .as_ref()
            .is_some_and(|it| matches!(*it.expr, Expr::Closure(_)));
        let was_elsewhere = self.is_elsewhere;
        self.is_elsewhere |= is_body && is_closure;
        visit_mut::visit_local_mut(self, local);
        self.is_elsewhere = was_elsewhere;
    }

    fn visit_macro_mut(&mut self, called: &mut Macro) {
        if let Some(mut elements) = arguments(called) {
            for element in &mut elements {
                self.visit_expr_mut(element);
            }
            called.tokens = quote!(#elements);
        }
    }

    /// A task must not return an operation that it has not awaited.
    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        let value = closure
            .asyncness
            .and_then(|_| value_of(&mut closure.body, self.method));
        if let Some(value) = value {
            self.found = true;
            let key = Ident::new("task_value", Span::call_site());
            *value = Expr::Verbatim(self.check(&key, value.span(), &quote!(#value)));
        }
        let was_in_closure = self.is_in_closure;
        self.is_in_closure |= closure.asyncness.is_none();
        visit_mut::visit_expr_closure_mut(self, closure);
        self.is_in_closure = was_in_closure;
    }

    /// An item has a `Self` of its own, or none.
    fn visit_item_mut(&mut self, _: &mut Item) {}
}

impl Values<'_> {
    /// Returns the error for an argument that cannot be right.
    fn has_mistake(&self, call: &Expr) -> Option<TokenStream> {
        let (span, message) = literals::mistake(call, self.method, &self.constants)?;
        Some(quote_spanned!(span=> ::core::compile_error!(#message)))
    }

    fn tuple(&self, tuple: &ExprTuple) -> Option<TokenStream> {
        let head = first_atom(tuple)?;
        let key = known(&self.effects.tuples, &head, tuple.elems.len())?;
        Some(self.check(key, content(&tuple.elems), &quote!(#tuple)))
    }

    fn call(&self, call: &ExprCall) -> Option<TokenStream> {
        let function = last_segment(&call.func)?;
        let Some(key) = known(&self.effects.calls, &function, call.args.len()) else {
            return self.method_as_function(call, &function);
        };
        let (written, given) = (&call.func, &call.args);
        let count = given.len();
        let names = (0..count).map(|index| ours(&format!("a{index}")));
        let names: Vec<Ident> = names.collect();
        let given = given.iter();
        let checked = self.check(key, content(&call.args), &quote!((#(#given,)*)));
        Some(quote!(match #checked { (#(#names,)*) => #written(#(#names),*) }))
    }

    /// `cx.send_after(time, message)`
    fn method(&self, call: &ExprMethodCall) -> Option<TokenStream> {
        if call.method == "wait" && call.args.is_empty() {
            return self.wait(call);
        }
        let Some(key) = known(&self.effects.methods, &call.method, call.args.len()) else {
            let is_context = self.method.is_context_expression(&call.receiver);
            return self.later(&call.method, &call.args, call.args.len(), is_context, call);
        };
        // Another type may have a method of this name.
        if !self.method.is_context_expression(&call.receiver) {
            return None;
        }
        let mut call = call.clone();
        self.message(key, &mut call.args)?;
        Some(quote!(#call))
    }

    /// Wraps the message of a timer, which is the last argument.
    fn message(&self, key: &Ident, arguments: &mut Punctuated<Expr, Token![,]>) -> Option<()> {
        if self.method.receives || self.block.receives && *key == "start_timer" {
            return None;
        }
        let message = arguments.pop()?;
        let checked = self.check(key, message.span(), &quote!((#message,)));
        let first = quote_spanned!(message.span()=> .0);
        arguments.push(Expr::Verbatim(quote!(#checked #first)));
        Some(())
    }

    /// `client.run(…).wait()`, which is for closures that other threads call. It is wrapped only if
    /// the receiver is a new value, because otherwise `wait` may borrow the receiver.
    fn wait(&self, call: &ExprMethodCall) -> Option<TokenStream> {
        if self.is_in_closure || !matches!(&*call.receiver, Expr::MethodCall(_)) {
            return None;
        }
        let (mut call, receiver) = (call.clone(), &call.receiver);
        let key = Ident::new("wait", Span::call_site());
        let checked = self.check(&key, call.method.span(), &quote!(#receiver));
        *call.receiver = Expr::Verbatim(checked);
        Some(quote!(#call))
    }

    /// `Cx::monitor(cx, process)`
    fn method_as_function(&self, call: &ExprCall, function: &Ident) -> Option<TokenStream> {
        let is_of_type = matches!(&*call.func, Expr::Path(path) if path.path.segments.len() > 1);
        let arguments = call.args.len().checked_sub(1).filter(|_| is_of_type)?;
        if let Some(key) = known(&self.effects.methods, function, arguments) {
            let mut call = call.clone();
            self.method.context_of(&call.func, &call.args)?;
            self.message(key, &mut call.args)?;
            return Some(quote!(#call));
        }
        self.later(function, &call.args, arguments, true, call)
    }

    /// `cx.monitor(process)`, unless the block itself receives the messages, or the call stops
    /// them: `cx.trap_exit(false)`. Code that subscribes by `cx.subscriber()` declares its messages
    /// itself.
    fn later(
        &self,
        method: &Ident,
        given: &Punctuated<Expr, Token![,]>,
        arguments: usize,
        is_context: bool,
        call: &impl ToTokens,
    ) -> Option<TokenStream> {
        let mut all = self.effects.later.iter();
        let (key, ..) = all.find(|(known, size, _)| method == known && arguments == *size)?;
        let ends = given
            .iter()
            .any(|it| it.to_token_stream().to_string() == "false");
        if ends || self.takes_itself(&key.to_string(), given, is_context) {
            return None;
        }
        Some(self.check(key, method.span(), &quote!(#call)))
    }

    /// Returns whether the block needs no clause for the messages of this method of its context.
    fn takes_itself(
        &self,
        key: &str,
        given: &Punctuated<Expr, Token![,]>,
        is_context: bool,
    ) -> bool {
        let (block, method) = (self.block, self.method);
        match key {
            "subscriber" => false,
            "join" => !given.iter().any(|it| method.is_context_expression(it)),
            // A `Subscriber` also has this method, and its type determines the messages.
            "sender" => block.receives || !is_context,
            "monitor" | "spawn_process_monitor" => {
                block.receives || block.waits_for_down || block.hands_over || method.ends(key)
            }
            "pending_request" => block.receives || block.hands_over,
            _ => block.receives || method.ends(key),
        }
    }

    /// `Effect(key, value).check(PhantomData::<Self>)`, where the compiler points at `content`.
    fn check(&self, key: &Ident, content: Span, value: &TokenStream) -> TokenStream {
        let path = self.path;
        let key = format_ident!("{key}");
        let check = quote_spanned!(content=> check(::core::marker::PhantomData::<Self>));
        // An error about the whole expression points at the content.
        let effect = quote_spanned!(content=> ::otp_bridge::__private::Effect);
        quote!(#effect(#path::effects::key::#key, #value).#check)
    }
}

/// Returns the value in the `Ok(…)` at the end of a body, if it is the result of a method of the
/// context.
fn value_of<'e>(body: &'e mut Expr, method: &Waiting) -> Option<&'e mut Expr> {
    let is_operation = |value: &Expr| match value {
        Expr::MethodCall(call) => method.is_context_expression(&call.receiver),
        _ => false,
    };
    let mut bound = BTreeSet::new();
    let end = match body {
        Expr::Block(block) => {
            for statement in &block.block.stmts {
                if let Stmt::Local(Local {
                    pat: Pat::Ident(name),
                    init: Some(init),
                    ..
                }) = statement
                    && is_operation(&init.expr)
                {
                    bound.insert(name.ident.clone());
                }
            }
            match block.block.stmts.last_mut()? {
                Stmt::Expr(end, None) => end,
                _ => return None,
            }
        }
        end => end,
    };
    let Expr::Call(call) = end else { return None };
    let is_ok = call.args.len() == 1 && last_segment(&call.func)? == "Ok";
    let value = call.args.first_mut().filter(|_| is_ok)?;
    let is_bound = matches!(&*value, Expr::Path(path) if path.path.get_ident().is_some_and(|it| bound.contains(it)));
    (is_bound || is_operation(value)).then_some(value)
}

/// Macros whose arguments are expressions.
const LISTS: [&str; 19] = [
    "vec",
    "list",
    "join",
    "try_join",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "dbg",
    "print",
    "println",
    "eprint",
    "eprintln",
    "format",
    "write",
    "writeln",
    "panic",
];

/// Returns the arguments of such a macro.
pub(super) fn arguments(called: &Macro) -> Option<Punctuated<Expr, Token![,]>> {
    let name = called.path.segments.last()?.ident.to_string();
    let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
    let is_list = LISTS.contains(&name.as_str());
    is_list.then(|| parse.parse2(called.tokens.clone()).ok())?
}

/// Returns the names in the methods of a block.
pub(super) fn names(block: &syn::ItemImpl) -> BTreeSet<String> {
    fn add(tokens: TokenStream, names: &mut BTreeSet<String>) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    names.insert(name.to_string());
                }
                TokenTree::Group(group) => add(group.stream(), names),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    let mut names = BTreeSet::new();
    for method in methods(block) {
        add(method.block.to_token_stream(), &mut names);
    }
    names
}

/// Returns the span at which the compiler points: the last element that is not the time of a
/// timeout.
fn content(elements: &Punctuated<Expr, Token![,]>) -> Span {
    let index = elements.len().min(3).saturating_sub(1);
    elements
        .get(index)
        .map_or_else(Span::call_site, Spanned::span)
}

fn known<'k>(all: &'k [(Ident, usize)], name: &Ident, size: usize) -> Option<&'k Ident> {
    let mut all = all.iter();
    let found = all.find(|(known, of_size)| known == name && *of_size == size);
    found.map(|(known, _)| known)
}

/// Returns the atom at the start of a tuple, or of its first element: `(timeout, name)`.
pub(super) fn first_atom(tuple: &ExprTuple) -> Option<Ident> {
    match tuple.elems.first()? {
        Expr::Tuple(name) if name.elems.len() == 2 => last_segment(name.elems.first()?),
        first => last_segment(first),
    }
}

/// Returns the last word of a path.
pub(super) fn last_segment(expression: &Expr) -> Option<Ident> {
    match expression {
        Expr::Path(path) => Some(path.path.segments.last()?.ident.clone()),
        Expr::Group(group) => last_segment(&group.expr),
        Expr::Paren(paren) => last_segment(&paren.expr),
        _ => None,
    }
}
