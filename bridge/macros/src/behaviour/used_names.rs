//! Processes that methods name by a static, such as `cx.call(&STORE, Get)`: `cargo otp check`
//! compares them with the processes that there are. A call in `init` waits while the process is
//! being started.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprClosure, ExprMacro, ExprMethodCall, ImplItemFn, Item, Path, Stmt, Token};

/// Methods whose caller waits for the process.
const WAITING: [&str; 10] = [
    "call",
    "call_within",
    "start_child",
    "start_child_spec",
    "terminate_child",
    "restart_child",
    "delete_child",
    "which_children",
    "count_children",
    "sync_notify",
];

/// Methods that send the process something and go on.
const SENDING: [&str; 5] = ["cast", "send", "send_request", "pending_request", "notify"];

/// Submits each name to the library's registry. The items stand in the method's block, where its
/// own names are in scope.
pub(super) fn submit(method: &mut ImplItemFn, type_name: &str) {
    let mut names = Names {
        is_start: method.sig.ident == "init",
        local: Vec::new(),
        found: Vec::new(),
    };
    own_items(method.block.to_token_stream(), &mut names.local);
    names.visit_block_mut(&mut method.block);
    let entries = names.found.iter().map(|used| entry(used, type_name));
    let entries: Vec<Stmt> = entries.collect();
    method.block.stmts.splice(0..0, entries);
}

/// A name, where the method uses it, and whether a start waits there.
struct Used {
    path: Path,
    at: Ident,
    delays_start: bool,
}

struct Names {
    is_start: bool,
    /// Statics and constants of the method itself, which its items may not see.
    local: Vec<String>,
    found: Vec<Used>,
}

impl VisitMut for Names {
    fn visit_expr_method_call_mut(&mut self, call: &mut ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, call);
        let is = |names: &[&str]| names.iter().any(|name| call.method == *name);
        let (waits, sends) = (is(&WAITING), is(&SENDING));
        let path = call.args.first().and_then(static_of);
        if let Some(path) = path.filter(|path| (waits || sends) && self.is_outside(path)) {
            self.found.push(Used {
                path,
                at: call.method.clone(),
                delays_start: waits && self.is_start,
            });
        }
    }

    /// What a closure does, such as that of a task, does not delay the start.
    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        let is_start = std::mem::replace(&mut self.is_start, false);
        visit_mut::visit_expr_closure_mut(self, closure);
        self.is_start = is_start;
    }

    /// `try_join!(cx.call(&STORE, Get), …)`
    fn visit_expr_macro_mut(&mut self, expression: &mut ExprMacro) {
        let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(mut elements) = parse.parse2(expression.mac.tokens.clone()) {
            for element in &mut elements {
                self.visit_expr_mut(element);
            }
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

impl Names {
    fn is_outside(&self, path: &Path) -> bool {
        let first = path.segments.first();
        first.is_some_and(|it| it.ident != "Self" && !self.local.contains(&it.ident.to_string()))
    }
}

/// `&STORE`, `&crate::names::STORE`
fn static_of(argument: &Expr) -> Option<Path> {
    let Expr::Reference(reference) = argument else {
        return None;
    };
    let Expr::Path(path) = &*reference.expr else {
        return None;
    };
    let name = path.path.segments.last()?.ident.to_string();
    let is_static = name.starts_with(char::is_uppercase) && !name.contains(char::is_lowercase);
    (is_static && path.qself.is_none()).then(|| path.path.clone())
}

/// The names of a method's own items, and those that it imports.
fn own_items(tokens: TokenStream, names: &mut Vec<String>) {
    items_among(tokens, false, names);
}

fn items_among(tokens: TokenStream, mut is_item: bool, names: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                let word = word.to_string();
                match word.as_str() {
                    "static" | "const" | "use" => is_item = true,
                    _ if is_item => names.push(word),
                    _ => {}
                }
            }
            TokenTree::Group(group) => items_among(group.stream(), is_item, names),
            TokenTree::Punct(mark) if matches!(mark.as_char(), ';' | '=') => is_item = false,
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

fn entry(used: &Used, type_name: &str) -> Stmt {
    let Used {
        path,
        at,
        delays_start,
    } = used;
    let location = quote_spanned!(at.span()=> ::core::panic::Location::caller());
    syn::parse_quote! {
        ::otp_bridge::__private::inventory::submit! {
            ::otp_bridge::__private::UsedNameEntry {
                rust_path: ::core::concat!(::core::module_path!(), "::", #type_name),
                process: || {
                    #[allow(unused_imports)]
                    use ::otp_bridge::__private::NoProcess as _;
                    ::otp_bridge::__private::Named(&#path).process()
                },
                delays_start: #delays_start,
                location: #location,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(method: ImplItemFn) -> Vec<(String, bool)> {
        let mut method = method;
        let before = method.block.stmts.len();
        submit(&mut method, "Shop");
        let added = method.block.stmts.len() - before;
        let text = method.block.stmts[..added].iter();
        let texts = text.map(|it| it.to_token_stream().to_string());
        let name = |text: String| {
            let (_, name) = text.split_once("Named (& ").expect("a name");
            let (name, rest) = name.split_once(')').expect("its end");
            (name.trim().to_owned(), rest.contains("delays_start : true"))
        };
        texts.map(name).collect()
    }

    #[test]
    fn statics_are_names_of_processes() {
        let method = syn::parse_quote! {
            async fn init(_: ()) -> Result<impl InitReturn<Self>> {
                cx.call(&STORE, Get).await?;
                cx.cast(&names::FRONT, Put(1));
                try_join!(cx.call(&OTHER, Get), cx.count_children(&SHELVES)).await?;
                cx.spawn_task(async move |cx| cx.call(&LATER, Get).await);
                cx.call(&store, Get).await?;
                cx.call(&Self::OWN, Get).await?;
                self.store.get(&STORE);
            }
        };
        let expected = [
            ("STORE", true),
            ("names :: FRONT", false),
            ("OTHER", true),
            ("SHELVES", true),
            ("LATER", false),
        ];
        let expected = expected.map(|(name, delays)| (name.to_owned(), delays));
        assert_eq!(found(method), expected);
    }

    #[test]
    fn a_name_of_the_method_itself_is_left_alone() {
        let method = syn::parse_quote! {
            fn handle_cast(&mut self, _: Go, cx: &Cx<'_>) -> HandleCast {
                static STORE: Server<Store> = Server::registered();
                cx.cast(&STORE, Get);
                { use crate::names::{FRONT, DESK as BACK}; cx.cast(&FRONT, Get); cx.cast(&BACK, Get); }
                cx.cast(&OUTSIDE, Get);
                noreply()
            }
        };
        assert_eq!(found(method), [("OUTSIDE".to_owned(), false)]);
    }
}
