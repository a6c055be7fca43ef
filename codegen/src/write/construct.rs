//! Attributes of `derive(Construct)`, which determine how values of a type are created.
//!
//! The derive generates `From` implementations, `new` and setters. `#[from(…)]` provides the facts
//! that it cannot see. Two kinds of conversions are not covered by the derive and are written out:
//! those that take a caller together with its reply, and those of tuples that begin with a tagged
//! one.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use super::conversions::{accepted_by, implementation, is_converted, is_led, number, takes_reply};
use super::scope::{Scope, identifier, tokens};
use crate::complete::{Conversion, Source, given};
use crate::ir::{Element, Field, Item, ItemKind, RustType, Variant, VariantShape};
use crate::names::atom_identifier;

/// Returns whether the type has the derive.
pub(super) fn is_derived(scope: &Scope<'_>, item: &Item) -> bool {
    match &item.kind {
        ItemKind::Map { .. } => true,
        // Its conversion from a tuple is written out.
        ItemKind::Tuple {
            tag: None,
            elements,
        } => !elements.iter().any(|element| takes_reply(&element.ty)),
        _ => (0..scope.complete.conversions(item).len())
            .any(|number| can_derive(scope, item, number)),
    }
}

/// Returns the conversions that the derive does not generate.
pub(super) fn written_out(scope: &Scope<'_>, item: &Item) -> TokenStream {
    let numbers = 0..scope.complete.conversions(item).len();
    let odd = numbers.filter(|number| !can_derive(scope, item, *number));
    let made = odd.filter_map(|number| implementation(scope, item, number));
    quote!(#(#made)*)
}

/// Returns whether the derive generates this conversion.
fn can_derive(scope: &Scope<'_>, item: &Item, number: usize) -> bool {
    can_derive_of(scope, &scope.module.name, item, number)
}

/// Returns whether the derive generates this conversion of an item in any module.
fn can_derive_of(scope: &Scope<'_>, module: &str, item: &Item, number: usize) -> bool {
    let Some(conversion) = scope
        .complete
        .conversions_of(module, &item.name)
        .get(number)
    else {
        return false;
    };
    match &conversion.source {
        Source::Within {
            module,
            item,
            conversion,
            ..
        } => {
            let inner = scope.complete.item_of(module, item);
            let made = scope.complete.conversions_of(module, item).get(*conversion);
            return inner.zip(made).is_some_and(|(inner, made)| {
                can_derive_of(scope, module, inner, *conversion) && !names_single(inner, made)
            });
        }
        Source::Bool(_) | Source::Milliseconds | Source::Number(_) => return false,
        _ => {}
    }
    match &item.kind {
        ItemKind::Enum(variants) => variants.get(conversion.variant).is_some_and(|variant| {
            !is_led(&variant.shape) && !variant.shape.types().into_iter().any(takes_reply)
        }),
        ItemKind::Tuple { elements, .. } => {
            !elements.iter().any(|element| takes_reply(&element.ty))
        }
        _ => true,
    }
}

/// Returns whether an attribute for this conversion would contain a tuple of one element. The
/// printer leaves out the comma that makes it a tuple.
fn names_single(item: &Item, made: &Conversion) -> bool {
    let types = match &item.kind {
        ItemKind::Enum(variants) => variants.get(made.variant).map(|made| made.shape.types()),
        ItemKind::Tuple { elements, .. } => {
            Some(elements.iter().map(|element| &element.ty).collect())
        }
        _ => None,
    };
    let types = types.unwrap_or_default();
    let elements = match &made.source {
        Source::Tuple | Source::Elements => types.len(),
        Source::Tagged(_) => types.len() + 1,
        _ => 0,
    };
    elements == 1 || types.into_iter().any(has_single)
}

/// Returns whether a tuple of one element occurs in a type.
fn has_single(ty: &RustType) -> bool {
    matches!(ty, RustType::Tuple(elements) if elements.len() == 1)
        || ty.children().into_iter().any(has_single)
}

/// Returns `#[from(…)]` of each variant.
pub(super) fn of_variants(
    scope: &Scope<'_>,
    item: &Item,
    variants: &[Variant],
) -> Vec<TokenStream> {
    if !is_derived(scope, item) {
        return vec![TokenStream::new(); variants.len()];
    }
    let mut of_variants: Vec<Vec<(usize, &Conversion)>> = vec![Vec::new(); variants.len()];
    for (number, made) in scope.complete.conversions(item).iter().enumerate() {
        if let Some(of_it) = of_variants.get_mut(made.variant)
            && can_derive(scope, item, number)
        {
            of_it.push((number, made));
        }
    }
    let one = |(variant, of_it)| of_variant(scope, item, variant, of_it);
    variants.iter().zip(of_variants).map(one).collect()
}

fn of_variant(
    scope: &Scope<'_>,
    item: &Item,
    variant: &Variant,
    of_it: Vec<(usize, &Conversion)>,
) -> TokenStream {
    let tag = match &variant.shape {
        VariantShape::Unit(tag) | VariantShape::Tagged(tag, _) => Some(tag),
        VariantShape::Tuple(_) | VariantShape::Untagged(_) => None,
    };
    let (own, through): (Vec<_>, Vec<_>) = of_it.into_iter().partition(|(_, made)| is_own(made));
    let first = if own.is_empty() {
        Some(quote!(none))
    } else {
        tag.and_then(|tag| atom(tag))
    };
    let through = through
        .into_iter()
        .filter_map(|(number, made)| accepted(scope, item, number, made));
    attribute(first.into_iter().chain(through))
}

/// Returns `#[from(atom = …)]` of a struct with a tag.
pub(super) fn of_struct(tag: Option<&str>) -> TokenStream {
    attribute(tag.and_then(atom))
}

fn attribute(options: impl IntoIterator<Item = TokenStream>) -> TokenStream {
    let options: Vec<TokenStream> = options.into_iter().collect();
    if options.is_empty() {
        TokenStream::new()
    } else {
        quote!(#[from(#(#options),*)])
    }
}

/// Returns whether the derive generates it without an attribute.
fn is_own(made: &Conversion) -> bool {
    match made.source {
        Source::Atom(_)
        | Source::Tagged(_)
        | Source::Tuple
        | Source::Elements
        | Source::Payload => true,
        Source::Through(_)
        | Source::AtomValue(..)
        | Source::Bool(_)
        | Source::Milliseconds
        | Source::Number(_)
        | Source::AnyTuple(_)
        | Source::Within { .. } => false,
    }
}

/// Returns the atom's name, if it differs from the atom.
fn atom(tag: &str) -> Option<TokenStream> {
    let name = atom_identifier(tag);
    (name != tag).then(|| {
        let name = identifier(&name);
        quote!(atom = #name)
    })
}

/// Returns a type that converts into the variant's field.
fn accepted(
    scope: &Scope<'_>,
    item: &Item,
    number: usize,
    made: &Conversion,
) -> Option<TokenStream> {
    match &made.source {
        Source::Through(path) => Some(tokens(path)),
        Source::AtomValue(atom, _) => Some(scope.atom(atom)),
        _ => {
            let accepted = accepted_by(scope, item, number, &mut 0)?;
            let generics = accepted.generics.iter().map(|generic| {
                let bound = generic.bound(scope);
                (generic.name.to_string(), quote!(impl #bound))
            });
            Some(replaced(accepted.ty, &generics.collect::<Vec<_>>()))
        }
    }
}

/// Returns `tokens` with the type parameters replaced.
fn replaced(tokens: TokenStream, parameters: &[(String, TokenStream)]) -> TokenStream {
    let mut all = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Ident(name) => match parameters.iter().find(|(known, _)| name == known) {
                Some((_, bound)) => all.extend(bound.clone()),
                None => all.extend([TokenTree::Ident(name)]),
            },
            TokenTree::Group(group) => {
                let inner = replaced(group.stream(), parameters);
                all.extend([TokenTree::Group(proc_macro2::Group::new(
                    group.delimiter(),
                    inner,
                ))]);
            }
            other => all.extend([other]),
        }
    }
    all
}

/// Returns whether a conversion accepts types that convert into the elements of the variant.
pub(super) fn takes_elements(scope: &Scope<'_>, item: &Item, variant: usize) -> bool {
    let mut made = scope.complete.conversions(item).iter();
    made.any(|made| made.variant == variant && made.source == Source::Elements)
}

/// Returns the attribute and the type of each element of a tuple.
pub(super) fn elements<'e>(
    scope: &'e Scope<'_>,
    elements: &'e [Element],
    is_derived: bool,
) -> impl Iterator<Item = (TokenStream, TokenStream)> + 'e {
    elements.iter().map(move |element| {
        let given = if !is_derived {
            TokenStream::new()
        } else if scope.aliases.is_term(&element.ty) {
            quote!(#[from(any)])
        } else if is_converted(scope, &element.ty) {
            quote!(#[from(into)])
        } else if let Some(number) = number(scope, &element.ty) {
            let number = tokens(number);
            quote!(#[from(number = #number)])
        } else {
            TokenStream::new()
        };
        (given, scope.ty(&element.ty))
    })
}

/// Returns the attribute for the type of a key's value in `new` or its method.
pub(super) fn of_key(scope: &Scope<'_>, field: &Field) -> TokenStream {
    if scope.aliases.is_term(&field.ty) {
        return quote!(#[from(any)]);
    }
    // With `impl Into`, the type of a number's literal could not be inferred.
    let canonical = scope.aliases.canonical(&field.ty);
    match canonical {
        ty if given::is_checked(&ty) => quote!(#[from(number)]),
        RustType::Primitive(_) | RustType::Literal(_) => {
            quote!(#[from(same)])
        }
        _ => TokenStream::new(),
    }
}
