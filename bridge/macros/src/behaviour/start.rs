//! `handle_start` of a server: OTP calls it next after `init`, so `init` cannot request another
//! action.

use otp_contract::callback::CallbackKind;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprCall, ExprTuple, ImplItem, ImplItemFn, Item};

use super::Input;
use super::effects::{first_atom, last_segment};

/// Rejects an `init` that returns `(ok, state, action)`, if there is a `handle_start` that is
/// called next: a return value can trigger only one callback.
pub(super) fn check(input: &Input) -> syn::Result<()> {
    let mut known = input.description.callbacks.iter();
    let is_continued = known.any(|it| it.kind == CallbackKind::Continue);
    let has_start = method(input, CallbackKind::Start).is_some();
    let init = method(input, CallbackKind::Init).filter(|_| has_start && is_continued);
    let Some(init) = init else { return Ok(()) };
    let mut actions = Actions(None);
    actions.visit_block_mut(&mut init.block.clone());
    actions.0.map_or(Ok(()), Err)
}

fn method(input: &Input, kind: CallbackKind) -> Option<&ImplItemFn> {
    let of_kind = |method: &ImplItemFn| {
        let mut known = input.description.callbacks.iter();
        known.any(|it| it.kind == kind && it.written == method.sig.ident)
    };
    let mut items = input.block.items.iter();
    items.find_map(|item| match item {
        ImplItem::Fn(method) if of_kind(method) => Some(method),
        _ => None,
    })
}

/// Stores the error of the first action that is found.
struct Actions(Option<syn::Error>);

impl Actions {
    fn refuse(&mut self, action: Option<&Expr>) {
        let Some(action) = action else { return };
        let message = "`handle_start/2` comes next: `init/1` returns `(ok, state)`, and `handle_start` a timeout, `hibernate` or `continue_`";
        self.0
            .get_or_insert_with(|| syn::Error::new(action.span(), message));
    }
}

impl VisitMut for Actions {
    fn visit_expr_tuple_mut(&mut self, tuple: &mut ExprTuple) {
        visit_mut::visit_expr_tuple_mut(self, tuple);
        if first_atom(tuple).is_some_and(|atom| atom == "ok") {
            self.refuse(tuple.elems.iter().nth(2));
        }
    }

    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        visit_mut::visit_expr_call_mut(self, call);
        if last_segment(&call.func).is_some_and(|function| function == "ok_with") {
            self.refuse(call.args.iter().nth(1));
        }
    }

    /// The return value of an inner item is not that of `init`.
    fn visit_item_mut(&mut self, _: &mut Item) {}
}
