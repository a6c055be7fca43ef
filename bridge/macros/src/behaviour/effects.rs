//! Values in methods that have another callback called afterwards, such as `(continue_, Tick)`:
//! they are handed to the compiler where they are written, which knows their types.
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
    Expr, ExprCall, ExprClosure, ExprMacro, ExprMethodCall, ExprTuple, ImplItemFn, Item,
    PathSegment, Token,
};

use super::description::{Description, Effects};

/// Hands over what is written in the method.
pub(super) fn hand_over(description: &Description, method: &mut ImplItemFn, waits: bool) {
    let Some(effects) = &description.effects else {
        return;
    };
    let mut values = Values {
        effects,
        path: &description.path,
        waits,
        in_body: false,
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
    /// Whether the block waits for messages itself.
    waits: bool,
    /// Whether this is the body of another process: an async closure with a context of its own.
    in_body: bool,
    found: bool,
}

impl VisitMut for Values<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        let checked = match expression {
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

    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        let was_in_body = self.in_body;
        self.in_body |= closure.asyncness.is_some() && !closure.inputs.is_empty();
        visit_mut::visit_expr_closure_mut(self, closure);
        self.in_body = was_in_body;
    }

    fn visit_expr_macro_mut(&mut self, expression: &mut ExprMacro) {
        let path = &expression.mac.path;
        let is_list = |last: &PathSegment| last.ident == "vec" || last.ident == "list";
        if !path.segments.last().is_some_and(is_list) {
            return;
        }
        let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(mut elements) = parse.parse2(expression.mac.tokens.clone()) {
            for element in &mut elements {
                self.visit_expr_mut(element);
            }
            expression.mac.tokens = quote!(#elements);
        }
    }

    /// An item has a `Self` of its own, or none.
    fn visit_item_mut(&mut self, _: &mut Item) {}
}

impl Values<'_> {
    fn tuple(&self, tuple: &ExprTuple) -> Option<TokenStream> {
        let head = first_atom(tuple)?;
        let key = known(&self.effects.tuples, &head, tuple.elems.len())?;
        Some(self.check(key, content(&tuple.elems), &quote!(#tuple)))
    }

    fn call(&self, call: &ExprCall) -> Option<TokenStream> {
        let function = last_segment(&call.func)?;
        let key = known(&self.effects.calls, &function, call.args.len())?;
        let (written, given) = (&call.func, &call.args);
        let count = given.len();
        let names = (0..count).map(|index| Ident::new(&format!("a{index}"), Span::mixed_site()));
        let names: Vec<Ident> = names.collect();
        let given = given.iter();
        let checked = self.check(key, content(&call.args), &quote!((#(#given,)*)));
        Some(quote!(match #checked { (#(#names,)*) => #written(#(#names),*) }))
    }

    /// `cx.send_after(time, message)`
    fn method(&self, call: &ExprMethodCall) -> Option<TokenStream> {
        let Some(key) = known(&self.effects.methods, &call.method, call.args.len()) else {
            return self.later(call);
        };
        if self.waits && *key == "start_timer" {
            return None;
        }
        if *key == "send_interval"
            && let Some(zero) = call.args.first().filter(|time| is_zero(time))
        {
            return Some(quote_spanned!(zero.span()=> ::core::compile_error!(#ZERO)));
        }
        let mut call = call.clone();
        let message = call.args.pop()?;
        let checked = self.check(key, message.span(), &quote!((#message,)));
        let first = quote_spanned!(message.span()=> .0);
        call.args.push(Expr::Verbatim(quote!(#checked #first)));
        Some(quote!(#call))
    }

    /// `cx.monitor(process)`, unless the block itself waits for what comes then, or what comes is
    /// ended: `cx.trap_exit(false)`. Whoever waits for what comes by `cx.subscriber()` says so.
    fn later(&self, call: &ExprMethodCall) -> Option<TokenStream> {
        let mut all = self.effects.later.iter();
        let is_it = |(method, size, _): &&(Ident, usize, Vec<Ident>)| {
            call.method == *method && call.args.len() == *size
        };
        let (key, ..) = all.find(is_it)?;
        let is_subscriber = *key == "subscriber";
        let is_elsewhere = if is_subscriber {
            self.in_body
        } else {
            self.waits
        };
        let mut given = call.args.iter();
        let ends = given.any(|given| given.to_token_stream().to_string() == "false");
        if is_elsewhere || ends {
            return None;
        }
        let span = call.method.span();
        let checked = self.check(key, span, &quote!((#call,)));
        // The compiler points at a subscriber. Lints of the user's code leave the others alone.
        let whole = if is_subscriber {
            span
        } else {
            Span::call_site()
        };
        let first = quote_spanned!(whole=> .0);
        Some(quote!(#checked #first))
    }

    /// `Effect(key, value).check(PhantomData::<Self>)`, where the compiler points at `content`.
    fn check(&self, key: &Ident, content: Span, value: &TokenStream) -> TokenStream {
        let path = self.path;
        let key = format_ident!("{key}");
        let check = quote_spanned!(content=> check(::core::marker::PhantomData::<Self>));
        // An error about the whole of it is one about the content.
        let effect = quote_spanned!(content=> ::otp_bridge::__private::Effect);
        quote!(#effect(#path::effects::key::#key, #value).#check)
    }
}

/// What is said of a timer that would fill the mailbox.
const ZERO: &str = "a timer that repeats comes after 1 ms at the earliest: `Duration::from_millis(1)`; of 0 its messages would fill the mailbox";

/// Whether the expression shows that it is a time of 0: `Duration::ZERO`, `Duration::from_secs(0)`.
fn is_zero(time: &Expr) -> bool {
    match time {
        Expr::Path(_) => last_segment(time).is_some_and(|name| name == "ZERO"),
        Expr::Call(call) => {
            let makes_time = last_segment(&call.func).is_some_and(|it| {
                let name = it.to_string();
                ["from_secs", "from_millis", "from_micros", "from_nanos"].contains(&name.as_str())
            });
            let is_nothing = |given: &Expr| given.to_token_stream().to_string() == "0";
            makes_time && call.args.len() == 1 && call.args.iter().all(is_nothing)
        }
        _ => false,
    }
}

/// Methods by which a block waits for messages itself, or ends what sends them.
const WAITING: [&str; 5] = ["receive", "receive_within", "down", "demonitor", "response"];

/// Whether a method of the block calls one of these.
pub(super) fn waits(names: &BTreeSet<String>) -> bool {
    WAITING.iter().any(|it| names.contains(*it))
}

/// The names in the methods of a block.
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
    for item in &block.items {
        if let syn::ImplItem::Fn(method) = item {
            add(method.block.to_token_stream(), &mut names);
        }
    }
    names
}

/// What the compiler points at: the last of them that is not the time of a timeout.
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

/// The atom that a tuple begins with, or the first element of which does: `(timeout, name)`.
pub(super) fn first_atom(tuple: &ExprTuple) -> Option<Ident> {
    match tuple.elems.first()? {
        Expr::Tuple(name) if name.elems.len() == 2 => last_segment(name.elems.first()?),
        first => last_segment(first),
    }
}

/// The last word of a path.
pub(super) fn last_segment(expression: &Expr) -> Option<Ident> {
    match expression {
        Expr::Path(path) => Some(path.path.segments.last()?.ident.clone()),
        Expr::Group(group) => last_segment(&group.expr),
        Expr::Paren(paren) => last_segment(&paren.expr),
        _ => None,
    }
}
