//! `let _ = value;` and `_ = value;` in methods. The compiler warns of no future there, so the value is handed to it:
//! `let _ = Ignored(value).value();`

use proc_macro2::{Delimiter, Group};
use quote::{quote, quote_spanned};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprAssign, ImplItemFn, Item, Local, Pat};

use super::method::ends_of;

/// Hands over what the method throws away.
pub(super) fn hand_over(method: &mut ImplItemFn) {
    let mut values = Values { found: false };
    values.visit_block_mut(&mut method.block);
    if values.found {
        let import = syn::parse_quote!(
            use ::otp_bridge::__private::Ignorable as _;
        );
        method.block.stmts.insert(0, import);
    }
}

struct Values {
    found: bool,
}

impl VisitMut for Values {
    fn visit_local_mut(&mut self, local: &mut Local) {
        visit_mut::visit_local_mut(self, local);
        if let (Pat::Wild(_), Some(init)) = (&local.pat, &mut local.init) {
            self.check(&mut init.expr);
        }
    }

    fn visit_expr_assign_mut(&mut self, assign: &mut ExprAssign) {
        visit_mut::visit_expr_assign_mut(self, assign);
        if let Expr::Infer(_) = &*assign.left {
            self.check(&mut assign.right);
        }
    }

    /// A function has arguments and operations of its own.
    fn visit_item_mut(&mut self, _: &mut Item) {}
}

impl Values {
    /// Only a new value: `let _ = place;` does not move what is there.
    fn check(&mut self, value: &mut Expr) {
        if let Expr::Call(_) | Expr::MethodCall(_) | Expr::Async(_) = value {
            self.found = true;
            let (first, last) = ends_of(value);
            let ignored = quote_spanned!(first=> ::otp_bridge::__private::Ignored);
            let mut argument = Group::new(Delimiter::Parenthesis, quote!(#value));
            argument.set_span(last);
            let call = quote_spanned!(last=> value());
            *value = Expr::Verbatim(quote!(#ignored #argument.#call));
        }
    }
}
