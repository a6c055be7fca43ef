//! The calls in the Rust sources of an application, with their positions.
//!
//! Names are not resolved, and calls in macros' definitions, tests and examples are not read. So a
//! call that is not found may exist, and rules only use what a call shows itself: literals, and
//! statics that the sources declare.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use otp_contract::manifest::Location;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

use super::tokens::{
    arguments, block, is_mark, is_of_path, is_of_tests, is_word, last_name, literal, starts_item,
    text, without_generics,
};

/// A call, such as `POOL.spawn_anywhere(cx, …)` or `Group::<Desk>::new("desks")`.
#[derive(Debug, Clone)]
pub(super) struct Call {
    /// The name of the function or method.
    pub(super) function: String,
    /// The path or the receiver before it, as far as that consists of names: `POOL`,
    /// `Group :: < Desk >`.
    pub(super) before: String,
    /// Whether it is a method.
    pub(super) is_method: bool,
    /// The tokens of each argument.
    pub(super) arguments: Vec<Vec<TokenTree>>,
    /// The method that is called on its result.
    pub(super) next: String,
    /// Whether its function fails if it fails: `….await?`
    pub(super) is_required: bool,
    /// The function or method that it is an argument of.
    pub(super) outer: String,
    /// The type of the `impl` block, and the function in which it is.
    pub(super) block: String,
    pub(super) within: String,
    /// Whether it is in a closure, such as the body of a task.
    pub(super) is_in_closure: bool,
    pub(super) location: Location,
}

/// All calls and statics of an application's sources.
#[derive(Debug, Default)]
pub(super) struct RustSources {
    pub(super) calls: Vec<Call>,
    /// The type of each static; `TaskPool` for one of `task_pool!`.
    pub(super) statics: BTreeMap<String, (String, Location)>,
    /// The modules in paths such as `otp_bindings::crypto`.
    pub(super) bindings: BTreeMap<String, Location>,
    /// The values of `#[env(application = "…")]`.
    pub(super) environments: Vec<(String, Location)>,
    /// The numbers in options `(packet, 2)` of sockets.
    pub(super) packets: Vec<(u64, Location)>,
    /// All literals of texts.
    pub(super) texts: BTreeSet<String>,
    /// How often each name occurs, apart from imports.
    pub(super) names: BTreeMap<String, usize>,
}

impl RustSources {
    /// Reads all `.rs` files of a folder. Locations are relative to the workspace.
    pub(super) fn below(folder: &Path, workspace: &Path) -> Self {
        let mut sources = RustSources::default();
        for path in files(folder) {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let relative = path.strip_prefix(workspace).unwrap_or(&path);
            if let Ok(tokens) = text.parse::<TokenStream>() {
                let file = relative.display().to_string();
                let mut reader = Reader {
                    file: &file,
                    sources: &mut sources,
                };
                reader.read(tokens, &Context::default());
            }
        }
        sources
    }

    /// Returns the statics with this type.
    pub(super) fn statics_of(&self, ty: &str) -> impl Iterator<Item = (&String, &Location)> {
        let statics = self.statics.iter();
        statics.filter_map(move |(name, (of, location))| (of == ty).then_some((name, location)))
    }
}

/// Returns the sources below a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let files = paths.into_iter().flat_map(|path| match path.is_dir() {
        true => files(&path),
        false if path.extension().is_some_and(|it| it == "rs") => vec![path],
        false => Vec::new(),
    });
    files.collect()
}

/// The surroundings of tokens.
#[derive(Debug, Clone, Default)]
struct Context {
    block: String,
    within: String,
    outer: String,
    is_in_closure: bool,
    is_use: bool,
    /// Whether `packet` is the atom, so that no variable can have this name.
    has_packet: bool,
}

struct Reader<'a> {
    file: &'a str,
    sources: &'a mut RustSources,
}

impl Reader<'_> {
    fn read(&mut self, tokens: TokenStream, context: &Context) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut context = context.clone();
        let (mut is_test, mut is_use) = (false, context.is_use);
        for (index, token) in tokens.iter().enumerate() {
            let before = &tokens[..index];
            match token {
                TokenTree::Group(group) if is_mark(before.last(), '#') => {
                    is_test |= is_of_tests(group);
                    self.attribute(group);
                }
                TokenTree::Group(group) => {
                    let is_block = group.delimiter() == Delimiter::Brace;
                    if !is_test {
                        self.group(group, before, &tokens[index + 1..], &context);
                    }
                    is_test &= !is_block;
                }
                // A definition of a macro has placeholders.
                TokenTree::Ident(word) if word == "macro_rules" => is_test = true,
                TokenTree::Ident(_) if is_test => {}
                TokenTree::Ident(word) => {
                    // In `impl Trait + use<'a>`, it is not an item.
                    is_use |= word == "use" && !is_mark(tokens.get(index + 1), '<');
                    context.is_use = is_use;
                    context.has_packet |= word == "use" && imports_packet(&tokens[index..]);
                    if word == "impl" && starts_item(before.last()) {
                        context.block = block(&tokens[index + 1..]);
                    }
                    self.word(&word.to_string(), &tokens[index..], &mut context);
                }
                TokenTree::Punct(mark) => {
                    let is_end = mark.as_char() == ';';
                    (is_test, is_use) = (is_test && !is_end, is_use && !is_end);
                    context.is_use = is_use;
                    context.is_in_closure |= mark.as_char() == '|';
                }
                TokenTree::Literal(literal) if !is_test => {
                    self.sources.texts.extend(text(&literal.to_string()));
                }
                TokenTree::Literal(_) => {}
            }
        }
    }

    fn word(&mut self, word: &str, from: &[TokenTree], context: &mut Context) {
        if !context.is_use {
            *self.sources.names.entry(word.to_owned()).or_default() += 1;
        }
        let next = |at: usize| from.get(at).map(ToString::to_string).unwrap_or_default();
        match word {
            "fn" => context.within = next(1),
            "static" => self.declared(&from[1..]),
            "otp_bindings" if next(1) == ":" => self.binding(from.get(3)),
            _ => {}
        }
    }

    /// `static DESK: Server<Desk> = …`, `task_pool!(static POOL;)`. Another `static` is a lifetime.
    fn declared(&mut self, after: &[TokenTree]) {
        let Some(TokenTree::Ident(name)) = after.first() else {
            return;
        };
        let ty = match after.get(1).map(ToString::to_string).as_deref() {
            Some(":") => last_name(&after[2..], &['=', ';']),
            None | Some(";" | "=") => "TaskPool".to_owned(),
            _ => return,
        };
        let (name, location) = (name.to_string(), self.location(name.span()));
        if !name.contains(char::is_lowercase) {
            self.sources.statics.insert(name, (ty, location));
        }
    }

    /// `otp_bindings::crypto`, `use otp_bindings::{crypto, gen_tcp::{self, Socket}};`
    fn binding(&mut self, module: Option<&TokenTree>) {
        let mut modules: Vec<&TokenTree> = Vec::new();
        let inner: Vec<TokenTree>;
        match module {
            Some(TokenTree::Group(group)) => {
                inner = group.stream().into_iter().collect();
                let parts = inner.split(|it| is_mark(Some(it), ','));
                modules.extend(parts.filter_map(|part| part.first()));
            }
            module => modules.extend(module),
        }
        for module in modules {
            let location = self.location(module.span());
            let name = module.to_string();
            self.sources.bindings.entry(name).or_insert(location);
        }
    }

    /// `#[env(application = "shop")]`
    fn attribute(&mut self, group: &Group) {
        let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
        let [TokenTree::Ident(env), TokenTree::Group(given)] = &tokens[..] else {
            return;
        };
        let given: Vec<TokenTree> = given.stream().into_iter().collect();
        if let [key, _, TokenTree::Literal(value)] = &given[..]
            && env == "env"
            && key.to_string() == "application"
        {
            let location = self.location(value.span());
            let value = text(&value.to_string());
            self.sources
                .environments
                .extend(value.map(|it| (it, location)));
        }
    }

    fn group(
        &mut self,
        group: &Group,
        before: &[TokenTree],
        after: &[TokenTree],
        context: &Context,
    ) {
        let is_definition = is_word(before.get(before.len().wrapping_sub(2)), "fn");
        let is_call = group.delimiter() == Delimiter::Parenthesis && !is_definition;
        let call = is_call
            .then(|| self.call(group, before, after, context))
            .flatten();
        if let Some((number, span)) = packet(group, context.has_packet) {
            self.sources.packets.push((number, self.location(span)));
        }
        let outer = call.as_ref().map(|call| call.function.clone());
        self.sources.calls.extend(call);
        let context = Context {
            outer: outer.unwrap_or_default(),
            ..context.clone()
        };
        self.read(group.stream(), &context);
    }

    fn call(
        &self,
        group: &Group,
        before: &[TokenTree],
        after: &[TokenTree],
        context: &Context,
    ) -> Option<Call> {
        let before = without_generics(before);
        let (TokenTree::Ident(function), path) = before.split_last()? else {
            return None;
        };
        let start = path.iter().rposition(|it| !is_of_path(it));
        let path = &path[start.map_or(0, |at| at + 1)..];
        let is_method = is_mark(path.last(), '.');
        let names = path.split_last().map_or(&[][..], |(_, rest)| rest);
        let names = names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let inner: Vec<TokenTree> = group.stream().into_iter().collect();
        let next = match after {
            [dot, TokenTree::Ident(next), ..] if is_mark(Some(dot), '.') => next.to_string(),
            _ => String::new(),
        };
        Some(Call {
            function: function.to_string(),
            before: names.join(" "),
            is_method,
            arguments: arguments(&inner),
            next,
            is_required: is_mark(after.get(2), '?') && is_word(after.get(1), "await"),
            outer: context.outer.clone(),
            block: context.block.clone(),
            within: context.within.clone(),
            is_in_closure: context.is_in_closure,
            location: self.location(function.span()),
        })
    }

    fn location(&self, span: Span) -> Location {
        let start = span.start();
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Location {
            file: self.file.to_owned(),
            line: number(start.line),
            column: number(start.column + 1),
        }
    }
}

/// `use otp_bindings::atoms::{active, packet};`
fn imports_packet(tokens: &[TokenTree]) -> bool {
    let end = tokens.iter().position(|it| is_mark(Some(it), ';'));
    let text: Vec<String> = tokens[..end.unwrap_or(0)]
        .iter()
        .map(ToString::to_string)
        .collect();
    let text = text.concat();
    let mut words = text.split(|it: char| !it.is_alphanumeric() && it != '_');
    text.contains("atoms") && words.any(|it| it == "packet")
}

/// Returns the number in `(packet, 2)`.
fn packet(group: &Group, is_atom: bool) -> Option<(u64, Span)> {
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    let [
        path @ ..,
        TokenTree::Ident(name),
        comma,
        TokenTree::Literal(number),
    ] = &tokens[..]
    else {
        return None;
    };
    let is_path = path.iter().any(|it| it.to_string() == "atoms");
    let is_atom = is_path || is_atom && path.is_empty();
    let is_option = name == "packet" && is_mark(Some(comma), ',') && is_atom;
    let value = number.to_string().parse().ok()?;
    is_option.then(|| (value, number.span()))
}

impl Call {
    /// Returns whether it is a method of this static, or a function of this type.
    pub(super) fn is_of(&self, name: &str) -> bool {
        match self.is_method {
            true => self.before.rsplit(' ').next() == Some(name),
            false => self.before.split(' ').any(|word| word == name),
        }
    }

    /// Returns whether it is at this position.
    pub(super) fn is_at(&self, other: &Location) -> bool {
        let own = &self.location;
        let is_file = own.file.ends_with(&other.file) || other.file.ends_with(&own.file);
        is_file && (own.line, own.column) == (other.line, other.column)
    }

    /// Returns the names in an argument.
    pub(super) fn names(&self, argument: usize) -> Vec<String> {
        let tokens = self.arguments.get(argument).into_iter().flatten();
        let names = tokens.filter_map(|token| match token {
            TokenTree::Ident(name) => Some(name.to_string()),
            _ => None,
        });
        names.collect()
    }

    /// Returns the text of an argument that is `"text"` or `atom!("text")`.
    pub(super) fn text(&self, argument: usize) -> Option<String> {
        literal(self.arguments.get(argument)?)
    }
}

#[cfg(test)]
mod tests;
