//! `let _ = value;`, `let _later = value;` with an unused variable, `_ = value;` and `drop(value)`
//! in methods. The compiler does not warn if the value is a future, so the macro wraps it:
//! `let _ = Ignored(value).value();`
//!
//! Operations that are dropped without being awaited in any other way are not reported, not even at
//! run time, because this need not be a mistake: it also happens to a future in a `race` if another
//! future is ready immediately.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprAssign, ExprCall, ImplItemFn, Item, Local, Pat, Type};

use super::effects::last_segment;
use super::method::ends_of;

/// Wraps the values that the method discards.
pub(super) fn hand_over(method: &mut ImplItemFn) {
    let mut values = Values {
        found: false,
        mentioned: Mentioned::default(),
    };
    values.mentioned.count(method.block.to_token_stream());
    values.visit_block_mut(&mut method.block);
    if values.found {
        let import = syn::parse_quote!(
            use ::otp_bridge::__private::Ignorable as _;
        );
        method.block.stmts.insert(0, import);
    }
}

/// How often each name occurs whose variable may be unused, and the texts in which it may occur.
#[derive(Default)]
struct Mentioned {
    names: BTreeMap<String, usize>,
    texts: String,
}

impl Mentioned {
    fn count(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    let name = name.to_string();
                    if name.starts_with('_') {
                        *self.names.entry(name).or_default() += 1;
                    }
                }
                TokenTree::Group(group) => self.count(group.stream()),
                TokenTree::Literal(text) => self.texts.push_str(&text.to_string()),
                TokenTree::Punct(_) => {}
            }
        }
    }

    /// Returns whether the name occurs only once. A text may be that of a `format!`.
    fn once(&self, name: &str) -> bool {
        self.names.get(name) == Some(&1) && !self.texts.contains(name)
    }
}

struct Values {
    found: bool,
    mentioned: Mentioned,
}

impl VisitMut for Values {
    fn visit_local_mut(&mut self, local: &mut Local) {
        visit_mut::visit_local_mut(self, local);
        let (pattern, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let Some(init) = local.init.as_mut().filter(|_| self.throws_away(pattern)) else {
            return;
        };
        self.check(&mut init.expr, ty);
    }

    fn visit_expr_assign_mut(&mut self, assign: &mut ExprAssign) {
        visit_mut::visit_expr_assign_mut(self, assign);
        if let Expr::Infer(_) = &*assign.left {
            self.check(&mut assign.right, None);
        }
    }

    /// `drop(cx.call(…))`
    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        visit_mut::visit_expr_call_mut(self, call);
        let is_drop = last_segment(&call.func).is_some_and(|it| it == "drop");
        if let (true, 1, Some(value)) = (is_drop, call.args.len(), call.args.first_mut()) {
            self.check(value, None);
        }
    }

    /// A function has arguments and operations of its own.
    fn visit_item_mut(&mut self, _: &mut Item) {}
}

impl Values {
    /// Returns whether no code can use a value behind this pattern.
    fn throws_away(&self, pattern: &Pat) -> bool {
        match pattern {
            Pat::Wild(_) => true,
            Pat::Ident(variable) => {
                let name = variable.ident.to_string();
                name.starts_with('_') && self.mentioned.once(&name)
            }
            _ => false,
        }
    }

    /// Checks only new values: `let _ = place;` does not move the value in `place`.
    fn check(&mut self, value: &mut Expr, ty: Option<&Type>) {
        if makes_value(value) {
            self.found = true;
            let (first, last) = ends_of(value);
            let ty = ty.map(|ty| quote_spanned!(first=> ::<#ty>));
            let ignored = quote_spanned!(first=> ::otp_bridge::__private::Ignored #ty);
            let mut argument = Group::new(Delimiter::Parenthesis, quote!(#value));
            argument.set_span(last);
            let call = quote_spanned!(last=> value());
            *value = Expr::Verbatim(quote!(#ignored #argument.#call));
        }
    }
}

/// Returns whether the expression creates a value that may be a future. `Some(…)` and similar
/// expressions do not, and values that they borrow may live as long as the variable.
fn makes_value(value: &Expr) -> bool {
    match value {
        Expr::Call(call) => match &*call.func {
            Expr::Path(function) => {
                let name = function.path.segments.last().map(|it| it.ident.to_string());
                !name.is_some_and(|name| name.starts_with(char::is_uppercase))
            }
            _ => true,
        },
        Expr::MethodCall(_) | Expr::Async(_) => true,
        _ => false,
    }
}
