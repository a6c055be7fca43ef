//! The block of a behaviour, with the callback of each method.

use std::collections::BTreeSet;

use otp_contract::behaviour::{Flag, Role};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Ident, ImplItem, ImplItemFn, Type};

use super::clause::ClauseMethod;
use super::description::{Callback, Description};
use super::jumps::Jump;
use super::waiting::{Waiting, methods};
use super::{
    Input, arguments, associated, call_scope, effects, ignored, jumps, named, older, postponed,
    signature, start, unused, used_names,
};

/// A parsed block.
pub(super) struct Block<'a> {
    pub(super) description: &'a Description,
    pub(super) self_type: &'a Type,
    pub(super) type_name: String,
    pub(super) umbrella: &'a syn::Path,
    pub(super) attributes: &'a [syn::Attribute],
    /// Methods by callback, in the order of the description.
    pub(super) clauses: Vec<(&'a Callback, Vec<ClauseMethod>)>,
    /// Clauses of `code_change` that go back to an older state.
    pub(super) older: Vec<ImplItemFn>,
    pub(super) associated: Vec<&'a ImplItem>,
    /// How its methods receive messages themselves.
    waiting: Waiting,
    /// Events that it creates for a state that it names.
    pub(super) jumps: Vec<Jump>,
    /// All names in its methods.
    pub(super) names: BTreeSet<String>,
}

impl<'a> Block<'a> {
    pub(super) fn new(input: &'a Input) -> syn::Result<Self> {
        let mut block = Block::without_clauses(input)?;
        start::check(input)?;
        associated::check(
            block.description,
            block.umbrella,
            &block.associated,
            &block.type_name,
        )?;
        for (index, item) in input.block.items.iter().enumerate() {
            if let ImplItem::Fn(method) = item {
                block.add(index, method.clone())?;
            }
        }
        Ok(block)
    }

    /// Adds a method to the clauses of its callback.
    fn add(&mut self, index: usize, mut method: ImplItemFn) -> syn::Result<()> {
        let (written, function) = match named::of_any_name(self.description, &mut method)? {
            Some((written, function)) => (written, Some(function)),
            None => (method.sig.ident.clone(), None),
        };
        let span = method.sig.ident.span();
        let same_name: Vec<usize> = self
            .named(&written, function.is_some())
            .ok_or_else(|| unknown(self.description, &method.sig.ident))?;
        let callbacks: Vec<&Callback> = same_name.iter().map(|it| self.clauses[*it].0).collect();
        if older::goes_back(callbacks[0], &method) {
            older::check(callbacks[0], &method)?;
            self.older.push(method);
            return Ok(());
        }
        arguments::check_receiver(callbacks[0], &method)?;
        check_left_out(callbacks[0], span)?;
        signature::check(callbacks[0], &method)?;
        let chosen = arguments::choose(&callbacks, &method)?;
        signature::check_result(callbacks[chosen], &method)?;
        postponed::check(&method)?;
        unused::check(callbacks[chosen], &mut method)?;
        call_scope::check(self.description, &method)?;
        self.jumps.extend(jumps::of(&method, function.as_deref()));
        // This has to precede the other passes, which rewrite `cx.monitor(&STORE)` and the like.
        let used = used_names::entries(&mut method, &self.type_name, self.self_type);
        effects::hand_over(self.description, &mut method, &self.waiting);
        ignored::hand_over(&mut method);
        method.block.stmts.splice(0..0, used);
        let clause = ClauseMethod::new(callbacks[chosen], index, function, method)?;
        for other in same_name.iter().flat_map(|it| &self.clauses[*it].1) {
            check_apart(callbacks[chosen], other, &clause, span)?;
        }
        self.clauses[same_name[chosen]].1.push(clause);
        Ok(())
    }

    /// Returns the indices of the callbacks that users write with this name; `None` if there is
    /// none.
    fn named(&self, written: &Ident, any_name: bool) -> Option<Vec<usize>> {
        let callbacks = self.clauses.iter().enumerate();
        let named = callbacks.filter(|(_, (callback, _))| {
            callback.written == *written && callback.has(Flag::AnyName) == any_name
        });
        let indices: Vec<usize> = named.map(|(index, _)| index).collect();
        (!indices.is_empty()).then_some(indices)
    }

    /// Parses the block without its functions.
    pub(super) fn without_clauses(input: &'a Input) -> syn::Result<Self> {
        let (umbrella, self_type) = header(input)?;
        let callbacks = input.description.callbacks.iter();
        let items = input.block.items.iter();
        Ok(Block {
            description: &input.description,
            self_type,
            type_name: last_segment(self_type),
            umbrella,
            attributes: &input.block.attrs,
            clauses: callbacks.map(|callback| (callback, Vec::new())).collect(),
            older: Vec::new(),
            waiting: Waiting::joined(methods(&input.block).map(Waiting::of)),
            jumps: Vec::new(),
            names: effects::names(&input.block),
            associated: items
                .filter(|item| !matches!(item, ImplItem::Fn(_)))
                .collect(),
        })
    }
}

impl Block<'_> {
    /// Returns whether the block has this method.
    pub(super) fn has(&self, method: &Ident) -> bool {
        self.clauses
            .iter()
            .any(|(callback, clauses)| callback.method == *method && !clauses.is_empty())
    }

    /// Returns whether its behaviour has events of several types.
    pub(super) fn has_events(&self) -> bool {
        let mut callbacks = self.description.callbacks.iter();
        callbacks.any(|it| it.arguments.iter().any(|it| it.role == Role::Discriminant))
    }

    pub(super) fn functions_of_any_name(&self) -> impl Iterator<Item = &str> {
        let clauses = self.clauses.iter().flat_map(|(_, clauses)| clauses);
        clauses.filter_map(|clause| clause.function.as_deref())
    }

    /// Returns the parameters of a callback's trait: the function's name, if it may be any; the
    /// type that the implementation chooses; then the start argument, which is the umbrella's
    /// associated type, or the `keys`, the open arguments of the clause. `own` is a name of the
    /// block's type.
    pub(super) fn trait_parameters(
        &self,
        callback: &Callback,
        clause: &ClauseMethod,
        own: &TokenStream,
        keys: &[Type],
    ) -> Vec<TokenStream> {
        let (path, umbrella) = (&self.description.path, &self.description.umbrella);
        let mut keys = keys.iter();
        let caller = clause.caller_type(callback);
        let name = clause
            .function
            .as_deref()
            .map(|function| named::marker(function).to_token_stream());
        let chosen = self
            .description
            .chosen
            .as_ref()
            .filter(|_| callback.has(Flag::Chosen));
        let chosen = chosen.map(|name| quote!(<#own as #path::#umbrella>::#name));
        let arguments = callback
            .arguments
            .iter()
            .filter_map(|argument| match argument.role {
                Role::Args => {
                    let name = &argument.name;
                    Some(quote!(<#own as #path::#umbrella>::#name))
                }
                Role::Open | Role::Discriminant => keys.next().map(ToTokens::to_token_stream),
                Role::Caller => caller.clone(),
                Role::Fixed | Role::State | Role::Chosen | Role::Literal | Role::Hidden => None,
            });
        name.into_iter().chain(chosen).chain(arguments).collect()
    }
}

/// Returns the trait and type of `impl Trait for Type`.
fn header(input: &Input) -> syn::Result<(&syn::Path, &Type)> {
    let umbrella = &input.description.umbrella;
    let Some((path, _)) = &input.block.trait_ else {
        let message = format!("write `impl {umbrella} for …`");
        return Err(syn::Error::new_spanned(&input.block.self_ty, message));
    };
    if path
        .segments
        .last()
        .is_none_or(|segment| segment.ident != *umbrella)
    {
        let message = format!(
            "`#[{}]` implements `{umbrella}`",
            input.description.behaviour
        );
        return Err(syn::Error::new_spanned(path, message));
    }
    if let Some(lifetime) = lifetime_of(&input.block.self_ty) {
        let message = "the state of a process has to own its data: remove the lifetime (for example, write `String` instead of `&str`)";
        return Err(syn::Error::new_spanned(lifetime, message));
    }
    if let Some(parameter) = input.block.generics.params.first() {
        let message = "an Erlang module has no generic parameters: write the block for a concrete type, such as `Cache<u64>`";
        return Err(syn::Error::new_spanned(parameter, message));
    }
    Ok((path, &input.block.self_ty))
}

/// Returns the first lifetime of `Type<'a, …>` that can end before its process does.
fn lifetime_of(ty: &Type) -> Option<&syn::Lifetime> {
    let Type::Path(path) = ty else { return None };
    let syn::PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments
    else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Lifetime(lifetime) if lifetime.ident != "static" => Some(lifetime),
        _ => None,
    })
}

/// Returns the error of a method that is not a callback.
fn unknown(description: &Description, method: &Ident) -> syn::Error {
    let mut known: Vec<String> = Vec::new();
    for callback in &description.callbacks {
        let (written, label) = (&callback.written, callback.label());
        let name = if callback.has(Flag::AnyName) {
            format!("`#[{written}]` for `{label}`")
        } else if *written == callback.name {
            label
        } else {
            format!("`{written}` for `{label}`")
        };
        if !known.contains(&name) {
            known.push(name);
        }
    }
    let message = format!(
        "`{}` has no callback `{method}`; it has {}",
        description.behaviour,
        known.join(", ")
    );
    syn::Error::new(method.span(), message)
}

/// Rejects a callback whose result follows from the others, because a written one could contradict
/// them.
fn check_left_out(callback: &Callback, span: Span) -> syn::Result<()> {
    if callback.answer.is_none() {
        return Ok(());
    }
    let (label, erlang) = (callback.label(), &callback.erlang);
    let message =
        format!("remove `{label}`: its return value follows from the other callbacks\n\n{erlang}");
    Err(syn::Error::new(span, message))
}

/// Rejects a clause that would never run, because another one has the same arguments.
fn check_apart(
    callback: &Callback,
    other: &ClauseMethod,
    clause: &ClauseMethod,
    span: Span,
) -> syn::Result<()> {
    let keys = |clause: &ClauseMethod| clause.keys("'_");
    if other.function != clause.function || keys(other) != keys(clause) {
        return Ok(());
    }
    let label = callback.label();
    let message = if callback.is_open() {
        let message = clause.message();
        format!("`{label}` has another clause for `{message}`, and only one of them could ever run")
    } else {
        format!("`{label}` is defined twice")
    };
    Err(syn::Error::new(span, message))
}

fn last_segment(ty: &Type) -> String {
    match ty {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .map(|segment| segment.ident.to_string()),
        _ => None,
    }
    .unwrap_or_else(|| ty.to_token_stream().to_string())
}
