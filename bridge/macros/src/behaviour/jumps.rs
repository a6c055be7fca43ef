//! Events that a state machine creates for a state that the source names, although the function of
//! that state has no clause for them:
//!
//! ```text
//! next_state_actions(Level::On, next_event(internal, Push))
//! ```

use proc_macro2::Span;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprCall, ImplItemFn, Item, Token};

use super::effects::last_segment;

/// An event, and the state in which it arrives.
pub(super) struct Jump {
    /// The name of the state's function.
    pub(super) state: String,
    /// The names of its type and of its content's type.
    pub(super) event: [String; 2],
    pub(super) span: Span,
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
