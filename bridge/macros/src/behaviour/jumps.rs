//! Events that a state machine creates for a state that the source names, although the function of
//! that state has no clause for them:
//!
//! ```text
//! next_state_actions(Level::On, next_event(internal, Push))
//! ```

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprCall, ImplItemFn, Item, Token, Type};

use super::block::Block;
use super::clause::ClauseMethod;
use super::description::Callback;
use super::effects::last_segment;
use super::shapes::shape;
use crate::refusal::Refusal;

/// An event, and the state in which it arrives.
pub(super) struct Jump {
    /// The name of the state's function.
    state: String,
    /// The names of its type and of its content's type.
    event: [String; 2],
    span: Span,
}

/// Returns the events that a method creates. `function` is the state whose function it is.
pub(super) fn of(method: &ImplItemFn, function: Option<&str>) -> Vec<Jump> {
    let mut jumps = Jumps {
        function,
        has_event: false,
        found: Vec::new(),
    };
    jumps.visit_block_mut(&mut method.block.clone());
    jumps.found
}

struct Jumps<'f> {
    function: Option<&'f str>,
    /// Whether the same actions create an event before this one. It may change the state.
    has_event: bool,
    found: Vec<Jump>,
}

impl VisitMut for Jumps<'_> {
    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        visit_mut::visit_expr_call_mut(self, call);
        let Some(name) = last_segment(&call.func) else {
            return;
        };
        let mut given = call.args.iter();
        let (state, actions) = match (name.to_string().as_str(), call.args.len()) {
            ("next_state_actions", 2) => (given.next().and_then(state), given.next()),
            ("keep_state_actions", 1) => (self.function.map(str::to_owned), given.next()),
            _ => return,
        };
        if let (Some(state), Some(actions)) = (state, actions) {
            self.has_event = false;
            self.actions(&state, actions);
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

impl Jumps<'_> {
    fn actions(&mut self, state: &str, actions: &Expr) {
        match actions {
            Expr::Array(list) => list.elems.iter().for_each(|it| self.actions(state, it)),
            Expr::Macro(list) => {
                let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
                let elements = parse.parse2(list.mac.tokens.clone()).unwrap_or_default();
                elements.iter().for_each(|it| self.actions(state, it));
            }
            Expr::Call(call) => {
                let given: Vec<&Expr> = call.args.iter().collect();
                self.action(state, last_segment(&call.func), &given);
            }
            Expr::Tuple(tuple) => {
                let given: Vec<&Expr> = tuple.elems.iter().skip(1).collect();
                self.action(state, tuple.elems.first().and_then(last_segment), &given);
            }
            _ => {}
        }
    }

    fn action(&mut self, state: &str, name: Option<syn::Ident>, given: &[&Expr]) {
        let (Some(name), [first, content]) = (name, given) else {
            return;
        };
        let event_type = match name.to_string().as_str() {
            "next_event" if std::mem::replace(&mut self.has_event, true) => None,
            "next_event" => last_segment(first).map(|it| it.to_string()),
            "state_timeout" => Some("state_timeout".to_owned()),
            _ => None,
        };
        if let (Some(event_type), Some(content_type)) = (event_type, type_of(content)) {
            self.found.push(Jump {
                state: state.to_owned(),
                event: [event_type, content_type],
                span: content.span(),
            });
        }
    }
}

/// Returns the function of the state in `Level::On`.
fn state(state: &Expr) -> Option<String> {
    let name = last_segment(state)?.to_string();
    let is_variant = name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
    let is_path = matches!(state, Expr::Path(path) if path.path.segments.len() > 1);
    (is_variant && is_path).then(|| otp_contract::rust::snake_case(&name))
}

/// Returns the name of the type of `Push`, `Push(7)` and `Push { .. }`. A variant may have a type
/// of another name.
fn type_of(content: &Expr) -> Option<String> {
    let path = match content {
        Expr::Path(path) => &path.path,
        Expr::Struct(value) => &value.path,
        Expr::Call(call) => return type_of(&call.func),
        _ => return None,
    };
    let is_type = |name: &String| name.starts_with(char::is_uppercase);
    let mut names = path.segments.iter().rev().map(|it| it.ident.to_string());
    let last = names.next().filter(is_type)?;
    Some(names.next().filter(is_type).unwrap_or(last))
}

/// Returns the checks of a block.
pub(super) fn checks(block: &Block<'_>) -> TokenStream {
    let named = block.clauses.iter();
    let all = named.flat_map(|(callback, clauses)| clauses.iter().map(move |it| (*callback, it)));
    let all: Vec<(&Callback, &ClauseMethod)> = all
        .filter(|(_, clause)| clause.function.is_some() && clause.called_with().len() == 2)
        .collect();
    let checks = block.jumps.iter().filter_map(|jump| check(jump, &all));
    checks.collect()
}

/// The types are those of clauses, so that they exist.
fn check(jump: &Jump, all: &[(&Callback, &ClauseMethod)]) -> Option<TokenStream> {
    let keys = |clause: &ClauseMethod| clause.called_with();
    let key = |at: usize| {
        let mut types = all.iter().map(|(_, clause)| keys(clause)[at].clone());
        types.find(|ty| last_name(ty).as_ref() == Some(&jump.event[at]))
    };
    let event = [key(0)?, key(1)?];
    let own = |(_, clause): &&(&Callback, &ClauseMethod)| {
        clause.function.as_deref() == Some(jump.state.as_str())
    };
    let own: Vec<_> = all.iter().filter(own).collect();
    let (callback, _) = own.first()?;
    let shapes = own.iter().map(|(_, clause)| {
        let shapes = keys(clause);
        let shapes = shapes.iter().map(shape);
        quote!(&[#(#shapes),*])
    });
    let taken = event.iter().map(shape);
    let (state, [event_type, content]) = (&jump.state, &jump.event);
    let refusal = Refusal::new(
        format!(
            "the state `{state}`, in which this event arrives, has no clause for `{event_type}`, `{content}`"
        ),
        "no clause takes it in that state",
    );
    let refusal = refusal
        .with_note(format!(
            "write `#[{}] fn {state}(&mut self, _: {event_type}, _: {content})`",
            callback.written
        ))
        .with_note(&callback.erlang);
    let condition = quote! {
        ::otp_bridge::__private::first_missing(&[#(#shapes),*], &[::otp_bridge::__private::Taken {
            message: "", shapes: &[#(#taken),*], discriminant: ::core::option::Option::None,
        }]) == 0
    };
    Some(refusal.if_true(&condition, (jump.span, jump.span)))
}

fn last_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => Some(path.path.segments.last()?.ident.to_string()),
        _ => None,
    }
}
