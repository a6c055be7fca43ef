//! Finds the names that a method gives to monitors and similar values. If a function gets such a
//! value together with the context, it may wait for it.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprForLoop, ExprLet, ExprMatch, ExprMethodCall, ImplItemFn, Item, Local};

/// Methods whose value the caller can wait for.
const BEGINNING: [&str; 3] = ["monitor", "spawn_process_monitor", "pending_request"];

/// Returns the names in the order of the source, also those that are derived from others: `m` of
/// `for m in monitors`.
pub(super) fn names(method: &ImplItemFn, contexts: &BTreeSet<String>) -> BTreeSet<String> {
    let mut names = Names {
        contexts,
        found: BTreeSet::new(),
    };
    names.visit_block_mut(&mut method.block.clone());
    names.found
}

/// Returns whether the tokens contain one of the names, or a call that returns such a value.
pub(super) fn mentions(tokens: TokenStream, names: &BTreeSet<String>) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => {
            let word = word.to_string();
            BEGINNING.contains(&word.as_str()) || names.contains(&word)
        }
        TokenTree::Group(group) => mentions(group.stream(), names),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

struct Names<'c> {
    contexts: &'c BTreeSet<String>,
    found: BTreeSet<String>,
}

impl Names<'_> {
    fn bind(&mut self, pattern: &impl ToTokens, value: &impl ToTokens) {
        if mentions(value.to_token_stream(), &self.found) {
            self.add(pattern.to_token_stream());
        }
    }

    fn add(&mut self, pattern: TokenStream) {
        for token in pattern {
            match token {
                TokenTree::Ident(name) => {
                    let name = name.to_string();
                    let is_variable = name.starts_with(char::is_lowercase);
                    let is_other = ["mut", "ref", "self"].contains(&name.as_str());
                    if is_variable && !is_other && !self.contexts.contains(&name) {
                        self.found.insert(name);
                    }
                }
                TokenTree::Group(group) => self.add(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

impl VisitMut for Names<'_> {
    fn visit_local_mut(&mut self, local: &mut Local) {
        if let Some(init) = &local.init {
            self.bind(&local.pat, &init.expr);
        }
        visit_mut::visit_local_mut(self, local);
    }

    fn visit_expr_let_mut(&mut self, binding: &mut ExprLet) {
        self.bind(&binding.pat, &binding.expr);
        visit_mut::visit_expr_let_mut(self, binding);
    }

    fn visit_expr_match_mut(&mut self, choice: &mut ExprMatch) {
        for arm in &choice.arms {
            self.bind(&arm.pat, &choice.expr);
        }
        visit_mut::visit_expr_match_mut(self, choice);
    }

    fn visit_expr_for_loop_mut(&mut self, repeated: &mut ExprForLoop) {
        self.bind(&repeated.pat, &repeated.expr);
        visit_mut::visit_expr_for_loop_mut(self, repeated);
    }

    /// `monitors.push(cx.monitor(&process).await?)`
    fn visit_expr_method_call_mut(&mut self, call: &mut ExprMethodCall) {
        if let Expr::Path(collection) = &*call.receiver {
            self.bind(collection, &call.args);
        }
        visit_mut::visit_expr_method_call_mut(self, call);
    }

    /// An item has variables of its own.
    fn visit_item_mut(&mut self, _: &mut Item) {}
}
