//! Finds out from a block's methods which names are contexts, and whether a method receives
//! messages itself, by `cx.receive()` or `monitor.down(cx)`. Only calls of a context count:
//! `let down = 1;` and `mailbox.receive()` do not.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, ImplItem, ImplItemFn, ItemImpl, Token, UnOp};

use super::bound;

/// The uses of contexts in the methods of a block, or in one of them.
#[derive(Default)]
pub(super) struct Waiting {
    /// The names of contexts.
    contexts: BTreeSet<String>,
    /// The names of monitors and the like.
    bound: BTreeSet<String>,
    /// Whether it receives messages of any kind: `cx.receive()`.
    pub(super) receives: bool,
    /// Whether it waits for the message of a monitor: `monitor.down(cx)`.
    pub(super) waits_for_down: bool,
    /// Whether it passes a monitor or a similar value to a function that also gets the context, and
    /// may wait.
    pub(super) hands_over: bool,
    /// Closures that become the bodies of other processes.
    bodies: BTreeSet<String>,
    /// Methods with which it stops the source of messages: `demonitor`, and `trap_exit(false)`.
    ended: BTreeSet<String>,
}

impl Waiting {
    pub(super) fn of(method: &ImplItemFn) -> Self {
        let mut waiting = Waiting::default();
        waiting.names(&flat(method.to_token_stream()));
        waiting.bound = bound::names(method, &waiting.contexts);
        waiting.calls(method.block.to_token_stream());
        waiting
    }

    pub(super) fn is_context(&self, name: &Ident) -> bool {
        self.contexts.contains(&name.to_string())
    }

    /// Returns whether the expression is a context's name, or a reference to one.
    pub(super) fn is_context_expression(&self, expression: &Expr) -> bool {
        match expression {
            Expr::Path(path) => path.path.get_ident().is_some_and(|it| self.is_context(it)),
            Expr::Paren(inner) => self.is_context_expression(&inner.expr),
            Expr::Group(inner) => self.is_context_expression(&inner.expr),
            Expr::Reference(inner) => self.is_context_expression(&inner.expr),
            Expr::Unary(inner) if matches!(inner.op, UnOp::Deref(_)) => {
                self.is_context_expression(&inner.expr)
            }
            // `subscriber.cx()`
            Expr::MethodCall(call) => call.method == "cx" && call.args.is_empty(),
            _ => false,
        }
    }

    /// Returns the context in a method that is called as a function: `Cx::sleep(cx, …)`. Functions
    /// of others may have the same name.
    pub(super) fn context_of<'e>(
        &self,
        function: &Expr,
        arguments: &'e Punctuated<Expr, Token![,]>,
    ) -> Option<&'e Expr> {
        let Expr::Path(path) = function else {
            return None;
        };
        let is_of_context = path.path.segments.iter().rev().nth(1)?.ident == "Cx";
        let context = arguments.first().filter(|_| is_of_context)?;
        self.is_context_expression(context).then_some(context)
    }

    /// Returns whether the method also stops the source of messages that this method of the context
    /// starts.
    pub(super) fn ends(&self, begun: &str) -> bool {
        self.ended.contains(begun)
    }

    /// Returns whether the closure with this name becomes the body of another process.
    pub(super) fn is_body(&self, closure: &Ident) -> bool {
        self.bodies.contains(&closure.to_string())
    }

    /// Collects contexts where they get their names.
    fn names(&mut self, tokens: &[TokenTree]) {
        for (index, token) in tokens.iter().enumerate() {
            let after = &tokens[index + 1..];
            match token {
                TokenTree::Ident(name) if is_mark(after.first(), ':') && is_context_type(after) => {
                    self.contexts.insert(name.to_string());
                }
                TokenTree::Ident(word) if word == "async" => self.parameter(after),
                TokenTree::Ident(word) if word == "let" => self.binding(after),
                _ => {}
            }
        }
    }

    /// `async move |cx|`: a closure with a context of its own.
    fn parameter(&mut self, after: &[TokenTree]) {
        let mut after = after.iter().filter(|it| it.to_string() != "move");
        if let (true, Some(TokenTree::Ident(name))) = (is_mark(after.next(), '|'), after.next()) {
            self.contexts.insert(name.to_string());
        }
    }

    /// `let context = cx;`, `let context = &*cx;`
    fn binding(&mut self, after: &[TokenTree]) {
        let end = |mark: char| after.iter().position(|it| is_mark(Some(it), mark));
        let (Some(equals), Some(semicolon)) = (end('='), end(';')) else {
            return;
        };
        if equals > semicolon {
            return;
        }
        let is_borrow = |it: &&TokenTree| is_mark(Some(it), '&') || is_mark(Some(it), '*');
        let mut value = after[equals + 1..semicolon].iter().skip_while(is_borrow);
        let first = value.next().and_then(name);
        if first.is_some_and(|it| self.is_context(it)) && value.next().is_none() {
            let names = after[..equals]
                .iter()
                .take_while(|it| !is_mark(Some(it), ':'));
            self.contexts
                .extend(names.filter_map(name).map(ToString::to_string));
        }
    }

    fn calls(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (index, token) in tokens.iter().enumerate() {
            let TokenTree::Group(group) = token else {
                continue;
            };
            if group.delimiter() == Delimiter::Parenthesis {
                self.call(&tokens[..index], &group.stream());
            }
            self.calls(group.stream());
        }
    }

    /// Handles a call, with the tokens before its arguments.
    fn call(&mut self, before: &[TokenTree], arguments: &TokenStream) {
        let given: Vec<TokenTree> = arguments.clone().into_iter().collect();
        let mut arguments_of = given.split(|it| is_mark(Some(it), ','));
        let has_context = arguments_of.any(|it| self.is_context_argument(it));
        let is_closure = given.iter().any(|it| is_mark(Some(it), '|'));
        let has_bound = !is_closure && bound::mentions(arguments.clone(), &self.bound);
        let (before, has_type) = without_type(before);
        let Some((TokenTree::Ident(called), before)) = before.split_last() else {
            return;
        };
        let is_function = !is_mark(before.last(), '.');
        let receiver = before.len().checked_sub(2).map(|at| &before[at]);
        let of_context = match receiver {
            _ if is_function => has_context,
            Some(TokenTree::Ident(name)) => self.is_context(name),
            // `(cx).receive()`, `subscriber.cx().receive()`
            Some(TokenTree::Group(group)) => {
                let mut last = before.iter().rev().filter_map(name);
                let mut inner = group.stream().into_iter();
                let word = inner.find_map(|it| name(&it).cloned());
                last.next().is_some_and(|it| it == "cx")
                    || inner.next().is_none() && word.is_some_and(|it| self.is_context(&it))
            }
            _ => false,
        };
        match called.to_string().as_str() {
            "receive" => self.receives |= has_type || of_context,
            "receive_within" => self.receives = true,
            "down" => self.waits_for_down |= has_context,
            "demonitor" => self
                .ended
                .extend(["monitor", "spawn_process_monitor"].map(str::to_owned)),
            other
                if is_of_another_process(
                    other,
                    given.iter().filter(|it| is_mark(Some(it), ',')).count() + 1,
                ) =>
            {
                self.bodies
                    .extend(given.iter().filter_map(name).map(ToString::to_string));
            }
            _ if has_context && has_bound => self.hands_over = true,
            ended if given.len() == 1 && given[0].to_string() == "false" => {
                self.ended.insert(ended.to_owned());
            }
            _ => {}
        }
    }

    /// Returns whether an argument is a context, or a reference to one: `cx`, `&cx`,
    /// `subscriber.cx()`.
    fn is_context_argument(&self, argument: &[TokenTree]) -> bool {
        match argument {
            [TokenTree::Punct(mark), rest @ ..] if matches!(mark.as_char(), '&' | '*') => {
                self.is_context_argument(rest)
            }
            [TokenTree::Ident(name)] => self.is_context(name),
            [
                ..,
                TokenTree::Punct(dot),
                TokenTree::Ident(name),
                TokenTree::Group(group),
            ] => dot.as_char() == '.' && name == "cx" && group.stream().is_empty(),
            _ => false,
        }
    }

    /// Combines the uses in several methods.
    pub(super) fn joined(all: impl Iterator<Item = Waiting>) -> Waiting {
        all.fold(Waiting::default(), |mut whole, it| {
            whole.receives |= it.receives;
            whole.waits_for_down |= it.waits_for_down;
            whole.hands_over |= it.hands_over;
            whole
        })
    }
}

/// Returns whether a closure among this number of arguments of this method runs in a process of its
/// own, or in a pool's worker.
pub(super) fn is_of_another_process(method: &str, arguments: usize) -> bool {
    match method {
        "spawn" => arguments == 3,
        "spawn_anywhere" | "in_process" => true,
        _ => method.starts_with("spawn_process"),
    }
}

/// Returns the methods of a block.
pub(super) fn methods(block: &ItemImpl) -> impl Iterator<Item = &ImplItemFn> {
    block.items.iter().filter_map(|item| match item {
        ImplItem::Fn(method) => Some(method),
        _ => None,
    })
}

/// Returns all tokens, with those of groups between two placeholder tokens.
fn flat(tokens: TokenStream) -> Vec<TokenTree> {
    let mut all = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => all.extend(flat(group.stream())),
            token => all.push(token),
        }
    }
    all
}

/// Returns whether the tokens are `: &Cx<'_>`, by any path.
fn is_context_type(after: &[TokenTree]) -> bool {
    let mut ty = after.iter().skip(1);
    if !is_mark(ty.next(), '&') {
        return false;
    }
    let is_inside = |it: &&TokenTree| match it {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(mark) => matches!(mark.as_char(), '\'' | ':'),
        _ => false,
    };
    let path: Vec<&TokenTree> = ty.take_while(is_inside).collect();
    path.last().is_some_and(|it| it.to_string() == "Cx")
}

/// Returns the tokens before `::<Message>`, and whether that is there.
fn without_type(before: &[TokenTree]) -> (&[TokenTree], bool) {
    if !is_mark(before.last(), '>') {
        return (before, false);
    }
    let mut depth = 0_usize;
    for (index, token) in before.iter().enumerate().rev() {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '>' => depth += 1,
            TokenTree::Punct(mark) if mark.as_char() == '<' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (&before[..index.saturating_sub(2)], true);
        }
    }
    (before, false)
}

fn is_mark(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(found)) if found.as_char() == mark)
}

fn name(token: &TokenTree) -> Option<&Ident> {
    match token {
        TokenTree::Ident(name) => Some(name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(method: ImplItemFn) -> (bool, bool) {
        let waiting = Waiting::of(&method);
        (
            waiting.receives,
            waiting.waits_for_down || waiting.hands_over,
        )
    }

    /// Returns methods with these bodies, whose context is `cx`.
    fn with(bodies: &[&str]) -> Vec<ImplItemFn> {
        let method = |body: &&str| format!("async fn f(&mut self, cx: &Cx<'_>) {{ {body} }}");
        let methods = bodies.iter().map(method);
        methods
            .map(|text| syn::parse_str(&text).expect("a method"))
            .collect()
    }

    #[test]
    fn calls_of_a_context_take_messages() {
        let all = with(&[
            "cx.receive().await?;",
            "cx.receive::<Down>().await?;",
            "let own = cx; own.receive();",
            "let own: &Cx<'_> = &*cx; own.receive();",
            "let own = &cx; own.receive();",
            "(cx).receive();",
            "race!(cx.receive(), cx.sleep(T)).await?;",
            "cx.spawn_task(async move |own| own.receive().await);",
            "cx.receive_within::<Vec<u8>>(T);",
            "Cx::receive(cx);",
            "subscriber.cx().receive();",
            "fn g(inner: &'_ otp_bridge::Cx<'_>) { inner.receive() }",
        ]);
        for method in all {
            let text = method.to_token_stream().to_string();
            assert_eq!(of(method), (true, false), "{text}");
        }
    }

    #[test]
    fn monitors_are_waited_for() {
        let all = with(&[
            "cx.monitor(&p).await?.down(cx).await?;",
            "Monitor::down(&monitor, cx);",
            "let monitor = cx.monitor(&p).await?; end_of(&monitor, cx);",
            "let (p, m) = cx.spawn_process_monitor(b).await?; end_of(cx, m);",
            "end_of(cx.monitor(&p).await?, cx).await?;",
            "if let Ok(m) = cx.monitor(&p).await { end_of(m, cx).await?; }",
            "match cx.monitor(&p).await { Ok(m) => end_of(m, cx), Err(_) => {} }",
            "let all = [cx.monitor(&p).await?]; for m in all { end_of(m, cx).await?; }",
            "let mut all = vec![]; all.push(cx.monitor(&p).await?); ends_of(&all, cx);",
        ]);
        for method in all {
            let text = method.to_token_stream().to_string();
            assert_eq!(of(method), (false, true), "{text}");
        }
    }

    #[test]
    fn names_and_calls_of_others_take_nothing() {
        let all = with(&[
            "let (down, receive) = (1, 2); print(down, receive);",
            "let (_, mut mailbox) = cx.channel(1); mailbox.receive();",
            "self.lift.down(3); self.receive();",
            "let monitor = cx.monitor(&p).await?; self.keep(monitor);",
            "keep(cx.monitor(&p).await?);",
            "let monitor = cx.monitor(&p).await?; cx.spawn_task(async move |cx| log(monitor));",
            "print(\"cx.receive()\");",
        ]);
        for method in all {
            let text = method.to_token_stream().to_string();
            assert_eq!(of(method), (false, false), "{text}");
        }
    }
}
