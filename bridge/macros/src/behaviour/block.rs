//! A block of a behaviour: which callback each of its methods implements.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Ident, ImplItem, Type};

use super::clause::{Clause, missing};
use super::description::{Callback, Description, Role};
use super::{Input, answer, named};

/// A block, taken apart.
pub(super) struct Block<'a> {
    pub(super) description: &'a Description,
    pub(super) self_type: &'a Type,
    pub(super) type_name: String,
    pub(super) umbrella: &'a syn::Path,
    pub(super) attributes: &'a [syn::Attribute],
    /// Methods by the callback they implement, in the order of the description.
    pub(super) clauses: Vec<(&'a Callback, Vec<Clause>)>,
    pub(super) associated: Vec<&'a ImplItem>,
}

impl<'a> Block<'a> {
    pub(super) fn new(input: &'a Input) -> syn::Result<Self> {
        let mut block = Block::without_clauses(input)?;
        let (description, clauses) = (block.description, &mut block.clauses);
        for item in &input.block.items {
            let ImplItem::Fn(method) = item else { continue };
            let mut method = method.clone();
            let (place, function) = match named::of_any_name(description, &mut method)? {
                Some((place, function)) => (place, Some(function)),
                None => (callback_of(description, &method.sig.ident)?, None),
            };
            let written = method.sig.ident.clone();
            let clause = Clause::new(clauses[place].0, function, method)?;
            check_single(&clauses[place], &clause, &written)?;
            clauses[place].1.push(clause);
        }
        Ok(block)
    }

    /// The block without its functions.
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
            associated: items
                .filter(|item| !matches!(item, ImplItem::Fn(_)))
                .collect(),
        })
    }
}

impl Block<'_> {
    /// Whether the block has this method.
    pub(super) fn has(&self, method: &Ident) -> bool {
        self.clauses
            .iter()
            .any(|(callback, clauses)| callback.method == *method && !clauses.is_empty())
    }

    /// The names of the functions of any name.
    pub(super) fn functions_of_any_name(&self) -> impl Iterator<Item = &str> {
        let clauses = self.clauses.iter().flat_map(|(_, clauses)| clauses);
        clauses.filter_map(|clause| clause.function.as_deref())
    }

    /// The function's name, where that may be any; the type that the implementation chooses; then the
    /// start argument, which is the umbrella's associated type, or what the clause takes.
    pub(super) fn trait_parameters(
        &self,
        callback: &Callback,
        clause: &Clause,
    ) -> Vec<TokenStream> {
        let (self_type, path, umbrella) = (
            self.self_type,
            &self.description.path,
            &self.description.umbrella,
        );
        let mut keys = clause.keys.iter();
        let name = clause
            .function
            .as_deref()
            .map(|function| named::marker(function).to_token_stream());
        let chosen = self.description.chosen.as_ref().filter(|_| callback.chosen);
        let chosen = chosen.map(|name| quote!(<#self_type as #path::#umbrella>::#name));
        let arguments = callback
            .arguments
            .iter()
            .filter_map(|argument| match argument.role {
                Role::Args => {
                    let name = &argument.name;
                    Some(quote!(<#self_type as #path::#umbrella>::#name))
                }
                Role::Open => keys.next().map(ToTokens::to_token_stream),
                Role::Fixed | Role::State | Role::Chosen | Role::Literal => None,
            });
        name.into_iter().chain(chosen).chain(arguments).collect()
    }

    /// The error for a callback that is missing. One that has clauses for what it knows may know
    /// nothing, but for the end, which comes to every process.
    pub(super) fn absent(
        &self,
        (callback, clauses): &(&Callback, Vec<Clause>),
    ) -> Option<TokenStream> {
        let may_know_nothing = callback.is_open() && !callback.ends;
        if !callback.required || !clauses.is_empty() || may_know_nothing {
            return None;
        }
        let span = self
            .umbrella
            .segments
            .last()
            .map_or_else(proc_macro2::Span::call_site, |s| s.ident.span());
        let Some(answer) = &callback.answer else {
            let behaviour = self.description.behaviour.to_string();
            return Some(missing(callback, &behaviour, &self.type_name, span));
        };
        let wrong = answer::atoms(answer, |method| self.has(method)).err()?;
        Some(wrong.error(callback, &self.type_name, span))
    }
}

/// The trait and type of `impl Trait for Type`.
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
        let message = "the state of a process owns what it holds: it has no lifetime (a `String` in the place of a `&str`)";
        return Err(syn::Error::new_spanned(lifetime, message));
    }
    if let Some(parameter) = input.block.generics.params.first() {
        let message = "an Erlang module is one type: it has no generic parameters; write the block for one of its types, such as `Cache<u64>`";
        return Err(syn::Error::new_spanned(parameter, message));
    }
    Ok((path, &input.block.self_ty))
}

/// The first lifetime of `Type<'a, …>` that can end before its process does.
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

fn callback_of(description: &Description, method: &Ident) -> syn::Result<usize> {
    let found = description
        .callbacks
        .iter()
        .position(|callback| callback.method == *method && !callback.any_name);
    found.ok_or_else(|| {
        let mut known: Vec<String> = Vec::new();
        for callback in &description.callbacks {
            let name = if callback.any_name {
                format!("`#[{}]` for `{}`", callback.method, callback.label())
            } else if callback.method == callback.name {
                callback.label()
            } else {
                format!("`{}` for `{}`", callback.method, callback.label())
            };
            known.push(name);
        }
        let message = format!(
            "`{}` has no callback `{method}`; it has {}",
            description.behaviour,
            known.join(", ")
        );
        syn::Error::new(method.span(), message)
    })
}

/// Only callbacks with an open argument have several clauses.
fn check_single(
    known: &(&Callback, Vec<Clause>),
    clause: &Clause,
    written: &Ident,
) -> syn::Result<()> {
    let (callback, clauses) = known;
    let mut same = clauses
        .iter()
        .filter(|other| other.function == clause.function);
    if same.next().is_none() || callback.is_open() {
        return Ok(());
    }
    let message = format!("`{}` is defined twice", callback.label());
    Err(syn::Error::new(written.span(), message))
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
