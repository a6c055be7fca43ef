//! `let _ = value;`, `let _later = value;` with an unused variable, `_ = value;`, `drop(value)` and
//! the like in methods, also if the value is part of another, as in `drop((value, 1))`. The
//! compiler does not warn if the value is a future, so the macro wraps it:
//! `let _ = Ignored(value).value();`
//!
//! Operations that are dropped without being awaited in any other way are not reported, not even at
//! run time, because this need not be a mistake: it also happens to a future in a `race` if another
//! future is ready immediately.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, ExprAssign, ExprCall, ExprLet, ExprMatch, ImplItemFn, Item, Local, Pat, Stmt, Type,
};

use super::effects::{self, last_segment};
use super::method::ends_of;

/// Wraps the values that the method discards.
pub(super) fn hand_over(method: &mut ImplItemFn) {
    let mut made = Made::default();
    made.visit_block_mut(&mut method.block.clone());
    let mut values = Values {
        found: false,
        mentioned: Mentioned::default(),
        made: made.0,
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

/// How often each name occurs, and the texts in which it may occur.
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
                    *self.names.entry(name.to_string()).or_default() += 1;
                }
                TokenTree::Group(group) => self.count(group.stream()),
                TokenTree::Literal(text) => self.texts.push_str(&text.to_string()),
                TokenTree::Punct(_) => {}
            }
        }
    }

    /// Returns whether the name occurs this often. A text may be that of a `format!`.
    fn is(&self, name: &str, times: usize) -> bool {
        self.names.get(name) == Some(&times) && !self.texts.contains(name)
    }
}

struct Values {
    found: bool,
    mentioned: Mentioned,
    /// Variables for new values.
    made: BTreeSet<String>,
}

impl VisitMut for Values {
    fn visit_local_mut(&mut self, local: &mut Local) {
        visit_mut::visit_local_mut(self, local);
        let (pattern, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        if let Some(init) = &mut local.init {
            self.bind(pattern, &mut init.expr, ty);
        }
    }

    fn visit_expr_assign_mut(&mut self, assign: &mut ExprAssign) {
        visit_mut::visit_expr_assign_mut(self, assign);
        if let Expr::Infer(_) = &*assign.left {
            self.check(&mut assign.right, None);
        }
    }

    /// `if let _ = cx.call(…) {}`
    fn visit_expr_let_mut(&mut self, binding: &mut ExprLet) {
        visit_mut::visit_expr_let_mut(self, binding);
        self.bind(&binding.pat, &mut binding.expr, None);
    }

    /// `match cx.call(…) { _ => () }`
    fn visit_expr_match_mut(&mut self, choice: &mut ExprMatch) {
        visit_mut::visit_expr_match_mut(self, choice);
        if let [arm] = &choice.arms[..] {
            self.bind(&arm.pat, &mut choice.expr, None);
        }
    }

    /// `drop(cx.call(…))`
    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        visit_mut::visit_expr_call_mut(self, call);
        let function = last_segment(&call.func);
        let is_drop = function.is_some_and(|it| it == "drop" || it == "forget");
        if let (true, 1, Some(value)) = (is_drop, call.args.len(), call.args.first_mut()) {
            self.check(value, None);
        }
    }

    /// A function has arguments and operations of its own.
    fn visit_item_mut(&mut self, _: &mut Item) {}
}

impl Values {
    /// Checks the parts of a value that a pattern discards.
    fn bind(&mut self, pattern: &Pat, value: &mut Expr, ty: Option<&Type>) {
        match (pattern, value) {
            (Pat::Tuple(patterns), Expr::Tuple(values))
                if patterns.elems.len() == values.elems.len() =>
            {
                for (pattern, value) in patterns.elems.iter().zip(&mut values.elems) {
                    self.bind(pattern, value, None);
                }
            }
            (pattern, value) if self.throws_away(pattern) => self.check(value, ty),
            _ => {}
        }
    }

    /// Returns whether no code can use a value behind this pattern.
    fn throws_away(&self, pattern: &Pat) -> bool {
        match pattern {
            Pat::Wild(_) => true,
            Pat::Ident(variable) => {
                let name = variable.ident.to_string();
                name.starts_with('_') && self.mentioned.is(&name, 1)
            }
            _ => false,
        }
    }

    /// Checks new values, also those inside other values. `let _ = place;` does not drop the value
    /// in `place`, so a later use of `place` is right; without one, the value is ignored.
    fn check(&mut self, value: &mut Expr, ty: Option<&Type>) {
        match value {
            Expr::Paren(inner) => self.check(&mut inner.expr, ty),
            Expr::Tuple(tuple) => tuple.elems.iter_mut().for_each(|it| self.check(it, None)),
            Expr::Array(array) => array.elems.iter_mut().for_each(|it| self.check(it, None)),
            Expr::Block(block) if block.label.is_none() => self.check_end(&mut block.block),
            Expr::If(choice) => {
                self.check_end(&mut choice.then_branch);
                if let Some((_, other)) = &mut choice.else_branch {
                    self.check(other, None);
                }
            }
            Expr::Call(call) if is_wrapper(&call.func) => {
                call.args.iter_mut().for_each(|it| self.check(it, None));
            }
            Expr::Macro(list) if list.mac.path.is_ident("vec") => {
                if let Some(mut elements) = effects::arguments(&list.mac) {
                    elements.iter_mut().for_each(|it| self.check(it, None));
                    list.mac.tokens = quote!(#elements);
                }
            }
            _ if makes_value(value) || self.is_forgotten(value) => self.wrap(value, ty),
            _ => {}
        }
    }

    fn check_end(&mut self, block: &mut Block) {
        if let Some(Stmt::Expr(end, None)) = block.stmts.last_mut() {
            self.check(end, None);
        }
    }

    /// Returns whether this is a variable for a new value that is used nowhere else.
    fn is_forgotten(&self, value: &Expr) -> bool {
        let Expr::Path(path) = value else {
            return false;
        };
        let name = path.path.get_ident().map(ToString::to_string);
        name.is_some_and(|name| self.made.contains(&name) && self.mentioned.is(&name, 2))
    }

    fn wrap(&mut self, value: &mut Expr, ty: Option<&Type>) {
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

/// Collects variables for new values: `let operation = cx.call(…);`
#[derive(Default)]
struct Made(BTreeSet<String>);

impl VisitMut for Made {
    fn visit_local_mut(&mut self, local: &mut Local) {
        visit_mut::visit_local_mut(self, local);
        if let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init)
            && makes_value(&init.expr)
        {
            self.0.insert(name.ident.to_string());
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Returns whether the function is `Some`, `Ok`, `Err` or `Box::new`.
fn is_wrapper(function: &Expr) -> bool {
    let Expr::Path(path) = function else {
        return false;
    };
    let segments = path.path.segments.iter().map(|it| it.ident.to_string());
    let names: Vec<String> = segments.collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    matches!(names[..], [.., "Some" | "Ok" | "Err"] | [.., "Box", "new"])
}

/// Returns whether the expression creates a value that may be a future. Values that `Some(…)` and
/// similar expressions borrow may live as long as the variable.
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
