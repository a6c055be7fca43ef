//! Processes that methods name by a static, such as `cx.call(&STORE, Get)`, or by the expression of
//! a static: `&Server::<Store>::registered()`. `cargo otp check` compares these names with the
//! existing processes.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use quote::{ToTokens, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Expr, ExprCall, ExprClosure, ExprForLoop, ExprIf, ExprMatch, ExprMethodCall, ExprPath,
    ExprWhile, FnArg, ImplItemFn, Item, Local, Macro, Pat, Path, PathArguments, Stmt, Token, Type,
};

use super::own_name::{has_self, own_items, plain, with_own};

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

/// Methods that send a message to the process and do not wait.
const SENDING: [&str; 6] = [
    "cast",
    "send",
    "send_request",
    "pending_request",
    "notify",
    "monitor",
];

/// Returns the items that submit each name that the method uses, as it is written, to the library's
/// registry. They have to be in the method's block, where its own names are in scope.
pub(super) fn entries(method: &mut ImplItemFn, type_name: &str, self_type: &Type) -> Vec<Stmt> {
    let mut names = Names {
        callback: method.sig.ident.to_string(),
        clause: method
            .sig
            .inputs
            .iter()
            .find_map(message)
            .unwrap_or_default(),
        own: plain(self_type),
        local: Vec::new(),
        aliases: BTreeMap::new(),
        is_in_closure: false,
        is_conditional: false,
        found: Vec::new(),
    };
    own_items(method.block.to_token_stream(), &mut names.local);
    names.visit_block_mut(&mut method.block);
    let found = names.found.iter();
    found.map(|used| used.entry(type_name)).collect()
}

/// A use of a name in a method.
struct Used {
    process: Expr,
    at: Ident,
    words: [String; 4],
    flags: [bool; 3],
}

struct Names {
    callback: String,
    clause: String,
    /// The type of the block, which an item may not call `Self`.
    own: Option<Ident>,
    /// Statics and constants of the method itself, which its items may not see.
    local: Vec<String>,
    /// Variables that are references to processes.
    aliases: BTreeMap<String, Expr>,
    is_in_closure: bool,
    is_conditional: bool,
    found: Vec<Used>,
}

impl VisitMut for Names {
    fn visit_expr_method_call_mut(&mut self, call: &mut ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, call);
        self.call(&call.method, &mut call.args.iter());
    }

    /// `Cx::call(cx, &STORE, Get)`
    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        visit_mut::visit_expr_call_mut(self, call);
        if let Expr::Path(function) = &*call.func
            && let [.., of, method] = &function.path.segments.iter().collect::<Vec<_>>()[..]
            && of.ident == "Cx"
        {
            self.call(&method.ident, &mut call.args.iter().skip(1));
        }
    }

    /// `let store = &STORE;`
    fn visit_local_mut(&mut self, local: &mut Local) {
        visit_mut::visit_local_mut(self, local);
        let pattern = match &local.pat {
            Pat::Type(typed) => &*typed.pat,
            pattern => pattern,
        };
        if let (Pat::Ident(name), Some(init)) = (pattern, &local.init) {
            let name = name.ident.to_string();
            match self.process(&init.expr) {
                Some(process) => self.aliases.insert(name, process),
                None => self.aliases.remove(&name),
            };
        }
    }

    /// The callback does not wait for operations in a closure, such as that of a task.
    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        let was_in_closure = std::mem::replace(&mut self.is_in_closure, true);
        visit_mut::visit_expr_closure_mut(self, closure);
        self.is_in_closure = was_in_closure;
    }

    fn visit_expr_if_mut(&mut self, expression: &mut ExprIf) {
        self.visit_expr_mut(&mut expression.cond);
        self.if_chosen(|names| {
            names.visit_block_mut(&mut expression.then_branch);
            if let Some((_, other)) = &mut expression.else_branch {
                names.visit_expr_mut(other);
            }
        });
    }

    fn visit_expr_match_mut(&mut self, expression: &mut ExprMatch) {
        self.visit_expr_mut(&mut expression.expr);
        self.if_chosen(|names| {
            let arms = expression.arms.iter_mut();
            arms.for_each(|arm| names.visit_arm_mut(arm));
        });
    }

    fn visit_expr_for_loop_mut(&mut self, expression: &mut ExprForLoop) {
        self.visit_expr_mut(&mut expression.expr);
        self.if_chosen(|names| names.visit_block_mut(&mut expression.body));
    }

    fn visit_expr_while_mut(&mut self, expression: &mut ExprWhile) {
        self.visit_expr_mut(&mut expression.cond);
        self.if_chosen(|names| names.visit_block_mut(&mut expression.body));
    }

    /// `try_join!(cx.call(&STORE, Get), …)`
    fn visit_macro_mut(&mut self, called: &mut Macro) {
        let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(mut elements) = parse.parse2(called.tokens.clone()) {
            for element in &mut elements {
                self.visit_expr_mut(element);
            }
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

impl Names {
    /// Handles a call of a method with these arguments. The first one may be a process.
    fn call(&mut self, method: &Ident, arguments: &mut dyn Iterator<Item = &Expr>) {
        let is = |names: &[&str]| names.iter().any(|name| method == name);
        let (waits, sends) = (is(&WAITING), is(&SENDING));
        let process = arguments.next().and_then(|it| self.process(it));
        let Some(process) = process.filter(|_| waits || sends) else {
            return;
        };
        let sent = arguments.next().and_then(type_of).unwrap_or_default();
        self.found.push(Used {
            process,
            at: method.clone(),
            words: [
                self.callback.clone(),
                self.clause.clone(),
                method.to_string(),
                sent,
            ],
            flags: [
                waits && !self.is_in_closure,
                self.is_in_closure,
                self.is_conditional,
            ],
        });
    }

    fn if_chosen(&mut self, visit: impl FnOnce(&mut Self)) {
        let was_conditional = std::mem::replace(&mut self.is_conditional, true);
        visit(self);
        self.is_conditional = was_conditional;
    }

    /// Returns the process that an argument refers to, as an expression without variables.
    fn process(&self, argument: &Expr) -> Option<Expr> {
        if let Expr::Paren(inner) = argument {
            return self.process(&inner.expr);
        }
        if let Expr::Path(path) = argument {
            return self
                .aliases
                .get(&path.path.get_ident()?.to_string())
                .cloned();
        }
        let Expr::Reference(reference) = argument else {
            return None;
        };
        let is_one = match &*reference.expr {
            Expr::Path(path) => is_static(path) && self.is_outside(&path.path),
            Expr::Call(call) => matches!(&*call.func, Expr::Path(made) if self.makes(&made.path)),
            _ => false,
        };
        is_one.then(|| self.named((*reference.expr).clone()))?
    }

    /// Returns the expression with the name of the block's type in the place of `Self`.
    fn named(&self, process: Expr) -> Option<Expr> {
        let tokens = process.to_token_stream();
        if !has_self(tokens.clone()) {
            return Some(process);
        }
        syn::parse2(with_own(tokens, self.own.as_ref()?)).ok()
    }

    fn is_outside(&self, path: &Path) -> bool {
        let first = path.segments.first();
        first.is_some_and(|it| !self.local.contains(&it.ident.to_string()))
    }

    /// Returns whether the function names the module: `Server::<Store>::local`.
    fn makes(&self, function: &Path) -> bool {
        let mut last = function.segments.iter().rev();
        let name = last
            .next()
            .is_some_and(|it| it.ident == "local" || it.ident == "registered");
        let of = last.next().map(|it| &it.arguments);
        name && matches!(of, Some(PathArguments::AngleBracketed(_))) && self.is_outside(function)
    }
}

/// Returns whether the path is a static: `STORE`, `crate::names::STORE`.
fn is_static(path: &ExprPath) -> bool {
    let name = path.path.segments.last().map(|it| it.ident.to_string());
    let is_upper =
        |name: String| name.starts_with(char::is_uppercase) && !name.contains(char::is_lowercase);
    path.qself.is_none() && name.is_some_and(is_upper)
}

/// Returns the name of the type of a clause's message.
fn message(argument: &FnArg) -> Option<String> {
    let FnArg::Typed(argument) = argument else {
        return None;
    };
    let Type::Path(path) = &*argument.ty else {
        return None;
    };
    type_name(&path.path)
}

/// Returns the name of the type of a value: `Get`, `Put(1)`, `Put { .. }`, `Order::Put(1)`.
fn type_of(value: &Expr) -> Option<String> {
    match value {
        Expr::Path(path) => type_name(&path.path),
        Expr::Struct(value) => type_name(&value.path),
        Expr::Call(call) => type_of(&call.func),
        _ => None,
    }
}

/// Returns the type in `Put`, `orders::Put` and `Order::Put`.
fn type_name(path: &Path) -> Option<String> {
    let mut segments = path.segments.iter().rev().map(|it| it.ident.to_string());
    let is_type = |name: &String| name.starts_with(char::is_uppercase);
    let last = segments.next().filter(is_type)?;
    Some(segments.next().filter(is_type).unwrap_or(last))
}

impl Used {
    fn entry(&self, type_name: &str) -> Stmt {
        let Used {
            process,
            at,
            words,
            flags,
        } = self;
        let location = quote_spanned!(at.span()=> ::core::panic::Location::caller());
        syn::parse_quote! {
            ::otp_bridge::__private::inventory::submit! {
                ::otp_bridge::__private::UsedNameEntry {
                    rust_path: ::core::concat!(::core::module_path!(), "::", #type_name),
                    process: || {
                        #[allow(unused_imports)]
                        use ::otp_bridge::__private::NoProcess as _;
                        ::otp_bridge::__private::Named(&#process).process()
                    },
                    words: [#(#words),*],
                    flags: [#(#flags),*],
                    location: #location,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the processes, each with the facts about its use.
    fn found(mut method: ImplItemFn) -> Vec<String> {
        let entries = entries(&mut method, "Shop", &syn::parse_quote!(Shop));
        let texts = entries.iter().map(|it| it.to_token_stream().to_string());
        let between = |text: &str, start: &str, end: &str| {
            let (_, rest) = text.split_once(start).expect("its start");
            let (inner, _) = rest.split_once(end).expect("its end");
            inner.replace([' ', '"'], "")
        };
        let describe = |text: String| {
            let process = between(&text, "Named (& ", ") . process");
            let (words, flags) = (
                between(&text, "words : [", "]"),
                between(&text, "flags : [", "]"),
            );
            let flags = flags.split(',').zip(["waits", "closure", "conditional"]);
            let flags: Vec<&str> = flags.filter(|it| it.0 == "true").map(|it| it.1).collect();
            format!("{process} {words} {}", flags.join(" "))
        };
        texts.map(describe).collect()
    }

    #[test]
    fn statics_are_names_of_processes() {
        let method = syn::parse_quote! {
            async fn init(_: (), cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
                cx.call(&STORE, Get).await?;
                cx.cast(&names::FRONT, Put(1));
                try_join!(cx.call(&OTHER, Get), cx.count_children(&SHELVES)).await?;
                cx.spawn_task(async move |cx| cx.call(&LATER, Get).await);
                if open { cx.call(&STORE, Order::Put { number }).await?; }
                let desk = &DESK;
                cx.monitor(desk).await?;
                let front: &Server<Desk> = &names::FRONT;
                cx.monitor(front).await?;
                Cx::call(cx, (&STORE), Get).await?;
                println!("{}", cx.call(&OTHER, Get).await?);
                cx.call(&Server::<Store>::local(atom!("store")), orders::Get).await?;
                cx.call(&store, Get).await?;
                cx.call(&Self::OWN, Get).await?;
                cx.call(&Server::<Self>::registered(), Get).await?;
                cx.call(&Server::local(atom!("store")), Get).await?;
                self.store.get(&STORE);
            }
        };
        let expected = [
            "STORE init,,call,Get waits",
            "names::FRONT init,,cast,Put ",
            "OTHER init,,call,Get waits",
            "SHELVES init,,count_children, waits",
            "LATER init,,call,Get closure",
            "STORE init,,call,Order waits conditional",
            "DESK init,,monitor, ",
            "names::FRONT init,,monitor, ",
            "STORE init,,call,Get waits",
            "OTHER init,,call,Get waits",
            "Server::<Store>::local(atom!(store)) init,,call,Get waits",
            "Shop::OWN init,,call,Get waits",
            "Server::<Shop>::registered() init,,call,Get waits",
        ];
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
        assert_eq!(found(method), ["OUTSIDE handle_cast,Go,cast,Get "]);
    }
}
