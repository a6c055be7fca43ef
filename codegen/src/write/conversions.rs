//! `From` implementations.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::generic::{self, Accepted, Generic};
use super::scope::{Scope, angle, angle_names, identifier, tokens};
use crate::complete::{Conversion, Source, Width, given};
use crate::ir::REPLY;
use crate::ir::{Element, Item, ItemKind, RustType, VariantShape, field_names, led};

/// Returns the `From` implementation of one conversion.
pub(super) fn implementation(scope: &Scope<'_>, item: &Item, number: usize) -> Option<TokenStream> {
    let conversion = scope.complete.conversions(item).get(number)?;
    let target = target(item, conversion)?;
    let from = scope.standard("From");
    let (name, own) = (identifier(&item.name), angle_names(&item.parameters));
    if let (Source::Bool(other), ItemKind::Enum(variants)) = (&conversion.source, &item.kind) {
        let (yes, no) = (variants.get(conversion.variant)?, variants.get(*other)?);
        let (yes, no) = (identifier(&yes.name), identifier(&no.name));
        return Some(quote! {
            impl #own #from<bool> for #name #own {
                fn from(value: bool) -> Self {
                    if value { Self::#yes } else { Self::#no }
                }
            }
        });
    }
    if let Source::Number(primitive) = &conversion.source {
        let ty = tokens(primitive);
        return Some(quote! {
            impl #own #from<#ty> for #name #own {
                #[track_caller]
                fn from(number: #ty) -> Self {
                    rt::checked(number)
                }
            }
        });
    }
    let Accepted { generics, ty } = accepted_by(scope, item, number, &mut 0)?;
    let own_names = item.parameters.iter().map(|parameter| {
        let parameter = identifier(parameter);
        quote!(#parameter)
    });
    let generics = generics.iter().map(|generic| generic.bounded(scope));
    let all: Vec<TokenStream> = own_names.chain(generics).collect();
    let all = angle(&all);
    let (binding, value) = value(scope, &target, &conversion.source);
    let variant = target.variant.map(|variant| {
        let variant = identifier(variant);
        quote!(::#variant)
    });
    // A failed check inside is reported at the place where the value is created.
    let place = matches!(conversion.source, Source::Within { .. }).then(|| quote!(#[track_caller]));
    Some(quote! {
        impl #all #from<#ty> for #name #own {
            #place
            fn from(#binding: #ty) -> Self {
                Self #variant #value
            }
        }
    })
}

/// The result of a conversion: a variant, or the only form of an item.
struct Target<'i> {
    variant: Option<&'i str>,
    elements: Vec<(Option<&'i str>, &'i RustType)>,
    /// Their names in Rust.
    fields: Option<Vec<&'i str>>,
    /// The tagged tuple at the beginning of an untagged one.
    head: Option<&'i [RustType]>,
    is_tagged: bool,
}

impl Target<'_> {
    /// Returns the text behind the name of the struct or variant.
    fn fields(&self, values: impl IntoIterator<Item = TokenStream>) -> TokenStream {
        with_fields(self.fields.as_deref(), values)
    }
}

/// Returns values in parentheses, or in braces with their names.
pub(super) fn with_fields(
    fields: Option<&[&str]>,
    values: impl IntoIterator<Item = TokenStream>,
) -> TokenStream {
    let values = values.into_iter();
    match fields {
        None => quote!((#(#values),*)),
        Some(names) => {
            let names = names.iter().map(|name| identifier(name));
            quote!({ #(#names: #values),* })
        }
    }
}

fn named(elements: &[Element]) -> Vec<(Option<&str>, &RustType)> {
    let mut pairs = Vec::new();
    for element in elements {
        pairs.push((element.name.as_deref(), &element.ty));
    }
    pairs
}

fn target<'i>(item: &'i Item, conversion: &Conversion) -> Option<Target<'i>> {
    match &item.kind {
        ItemKind::Enum(variants) => {
            let variant = variants.get(conversion.variant)?;
            let elements = match &variant.shape {
                VariantShape::Unit(_) => Vec::new(),
                VariantShape::Tagged(_, elements) | VariantShape::Tuple(elements) => {
                    named(elements)
                }
                VariantShape::Untagged(ty) => vec![(None, ty)],
            };
            Some(Target {
                variant: Some(&variant.name),
                elements,
                fields: match &variant.shape {
                    VariantShape::Tagged(_, elements) | VariantShape::Tuple(elements) => {
                        field_names(elements)
                    }
                    VariantShape::Unit(_) | VariantShape::Untagged(_) => None,
                },
                head: match &variant.shape {
                    VariantShape::Tuple(elements) => led(elements).map(|(head, _)| head),
                    _ => None,
                },
                is_tagged: matches!(variant.shape, VariantShape::Tagged(..)),
            })
        }
        ItemKind::Tuple { elements, .. } => Some(Target {
            variant: None,
            elements: named(elements),
            fields: field_names(elements),
            head: None,
            is_tagged: true,
        }),
        _ => None,
    }
}

/// Returns the types that conversion number `conversion` of `item` accepts. `values` counts the
/// type parameters that have already been named in the context.
pub(super) fn accepted_by(
    scope: &Scope<'_>,
    item: &Item,
    conversion: usize,
    values: &mut usize,
) -> Option<Accepted> {
    let of = (&*scope.module.name, item);
    accepted_of(scope, of, (conversion, Width::Converted), values)
}

/// Like `accepted_by`, for an item of any module, with a limit on the width of a tuple's elements.
fn accepted_of(
    scope: &Scope<'_>,
    (module, item): (&str, &Item),
    (conversion, width): (usize, Width),
    values: &mut usize,
) -> Option<Accepted> {
    let made = scope.complete.conversions_of(module, &item.name);
    let conversion = made.get(conversion)?;
    let target = target(item, conversion)?;
    let plain = |ty: TokenStream| Accepted {
        generics: Vec::new(),
        ty,
    };
    let types = || target.elements.iter().map(|(_, ty)| scope.ty(ty));
    Some(match &conversion.source {
        Source::Atom(atom) => plain(scope.atom(atom)),
        Source::AtomValue(atom, _) => plain(scope.atom(atom)),
        Source::Through(path) => plain(tokens(path)),
        Source::AnyTuple(size) => generic::any_tuple(scope, *size, values),
        Source::Number(primitive) => plain(tokens(primitive)),
        Source::Bool(_) => plain(quote!(bool)),
        Source::Milliseconds => plain(quote!(::core::time::Duration)),
        Source::Payload => {
            let types = types();
            plain(quote!(#(#types)*))
        }
        Source::Tuple => match target.head {
            Some(head) => begun(scope, &target, head, values),
            None => {
                let types = types();
                plain(quote!((#(#types,)*)))
            }
        },
        Source::Elements => elements(scope, &target, width, values),
        Source::Tagged(tag) => tagged(scope, &target, tag, values),
        Source::Within {
            module,
            item,
            conversion,
            width: own,
        } => {
            let inner = scope.complete.item_of(module, item)?;
            let conversion = (*conversion, width.min(*own));
            accepted_of(scope, (module, inner), conversion, values)?
        }
    })
}

/// Returns the tuple of a tagged variant. A dynamic term in it may be any term, a union any type
/// that converts into it; a reply has the type that the caller beside it waits for.
fn tagged(scope: &Scope<'_>, target: &Target<'_>, tag: &str, values: &mut usize) -> Accepted {
    let atom = scope.atom(tag);
    let mut generics = Vec::new();
    let types = given(scope, &target.elements, values, &mut generics);
    Accepted {
        generics,
        ty: quote!((#atom, #(#types,)*)),
    }
}

/// Like `tagged`, for a tuple that begins with a tagged one, and for that tagged one.
fn begun(
    scope: &Scope<'_>,
    target: &Target<'_>,
    head: &[RustType],
    values: &mut usize,
) -> Accepted {
    let mut generics = Vec::new();
    let head = given(scope, &unnamed(head), values, &mut generics);
    let rest = target.elements.get(1..).unwrap_or_default();
    let rest = given(scope, rest, values, &mut generics);
    Accepted {
        generics,
        ty: quote!(((#(#head,)*), #(#rest,)*)),
    }
}

/// Returns a tuple of the types that are accepted for the elements.
fn elements(scope: &Scope<'_>, target: &Target<'_>, width: Width, values: &mut usize) -> Accepted {
    let mut generics = Vec::new();
    let all = target.elements.chunks(match width {
        Width::Converted => usize::MAX,
        Width::Exact | Width::Integers => 1,
    });
    let types = all.flat_map(|part| match part {
        [(_, ty)] if !width.converts(&scope.aliases.canonical(ty)) => {
            vec![number(scope, ty).map_or_else(|| scope.ty(ty), tokens)]
        }
        part => given(scope, part, values, &mut generics),
    });
    let types: Vec<TokenStream> = types.collect();
    Accepted {
        generics,
        ty: quote!((#(#types,)*)),
    }
}

fn unnamed(types: &[RustType]) -> Vec<(Option<&str>, &RustType)> {
    types.iter().map(|ty| (None, ty)).collect()
}

/// Returns the types that are accepted for each element, and the type parameters that they need.
fn given(
    scope: &Scope<'_>,
    elements: &[(Option<&str>, &RustType)],
    values: &mut usize,
    generics: &mut Vec<Generic>,
) -> Vec<TokenStream> {
    let reply = elements.iter().any(|(_, ty)| takes_reply(ty)).then(|| {
        *values += 1;
        let name = scope.type_parameter(&format!("Reply{values}"));
        generics.push(Generic {
            name: name.clone(),
            into: None,
        });
        name
    });
    let mut types = Vec::new();
    for (name, ty) in elements {
        if let (Some(reply), RustType::Mapped { path, .. }) = (&reply, ty)
            && takes_reply(ty)
        {
            let path = tokens(path);
            types.push(quote!(#path<#reply>));
        } else if let (Some(reply), true) = (&reply, *name == Some(REPLY)) {
            types.push(quote!(#reply));
        } else if scope.aliases.is_term(ty) || is_converted(scope, ty) {
            *values += 1;
            let name = scope.type_parameter(&format!("Value{values}"));
            types.push(quote!(#name));
            let into = (!scope.aliases.is_term(ty)).then(|| scope.ty(ty));
            generics.push(Generic { name, into });
        } else if let Some(number) = number(scope, ty) {
            types.push(tokens(number));
        } else {
            types.push(scope.ty(ty));
        }
    }
    types
}

/// Returns whether `ty` is a union of the module that is the target of a conversion.
pub(super) fn is_enum(scope: &Scope<'_>, ty: &RustType) -> bool {
    let RustType::Item { module, name, .. } = ty else {
        return false;
    };
    *module == scope.module.name
        && scope.complete.item(name).is_some_and(|item| {
            matches!(item.kind, ItemKind::Enum(_)) && !scope.complete.conversions(item).is_empty()
        })
}

/// Returns whether a value of `ty` is passed as any type that converts into it.
pub(super) fn is_converted(scope: &Scope<'_>, ty: &RustType) -> bool {
    given::is_converted(&scope.aliases.canonical(ty))
}

/// Returns the primitive type of the numbers that are passed for `ty`, if they are checked.
pub(super) fn number(scope: &Scope<'_>, ty: &RustType) -> Option<&'static str> {
    given::number(&scope.aliases.canonical(ty))
}

/// Returns whether a variant is a tuple that begins with a tagged one.
pub(super) fn is_led(shape: &VariantShape) -> bool {
    matches!(shape, VariantShape::Tuple(elements) if led(elements).is_some())
}

/// Returns whether `ty` is hand-written and has the reply's type as its parameter.
pub(super) fn takes_reply(ty: &RustType) -> bool {
    matches!(ty, RustType::Mapped { reply: Some(_), .. })
}

/// Returns the name of the converted value, and the variant's elements created from it.
fn value(scope: &Scope<'_>, target: &Target<'_>, source: &Source) -> (TokenStream, TokenStream) {
    let types = &target.elements;
    match source {
        Source::Atom(_) | Source::Bool(_) | Source::Number(_) => (quote!(_), TokenStream::new()),
        Source::Payload => (quote!(value), quote!((value))),
        Source::Milliseconds => (quote!(value), quote!((rt::milliseconds(value)))),
        Source::Through(_) | Source::AnyTuple(_) | Source::Within { .. } => {
            (quote!(value), quote!((value.into())))
        }
        Source::AtomValue(_, path) => {
            let constant = tokens(path);
            (quote!(_), quote!((#constant)))
        }
        Source::Tuple => match target.head {
            Some(head) => {
                let head = made(scope, &unnamed(head), &quote!(tuple.0), 0);
                let rest = types.get(1..).unwrap_or_default();
                let rest = made(scope, rest, &quote!(tuple), 1);
                let head = quote!((#(#head,)*));
                (quote!(tuple), target.fields([head].into_iter().chain(rest)))
            }
            None => {
                let indices = (0..types.len()).map(Literal::usize_unsuffixed);
                let values = indices.map(|index| quote!(tuple.#index));
                (quote!(tuple), target.fields(values))
            }
        },
        Source::Elements => {
            let elements = made(scope, types, &quote!(tuple), 0);
            (quote!(tuple), target.fields(elements))
        }
        Source::Tagged(_) if types.is_empty() => {
            let empty = target.is_tagged.then(|| quote!(()));
            (quote!(_), quote!(#empty))
        }
        Source::Tagged(_) => {
            let elements = made(scope, types, &quote!(tuple), 1);
            (quote!(tuple), target.fields(elements))
        }
    }
}

/// Returns the elements as they are stored in the variant, from those that [`given`] accepts: the
/// elements of `tuple` from the index `first`.
fn made(
    scope: &Scope<'_>,
    elements: &[(Option<&str>, &RustType)],
    tuple: &TokenStream,
    first: usize,
) -> Vec<TokenStream> {
    let one = |(index, (_, ty)): (usize, &(Option<&str>, &RustType))| {
        let index = Literal::usize_unsuffixed(index + first);
        if takes_reply(ty) {
            quote!(#tuple.#index.untyped())
        } else if is_converted(scope, ty) {
            quote!(#tuple.#index.into())
        } else if scope.aliases.is_term(ty) {
            quote!(rt::Term::of(&#tuple.#index))
        } else if number(scope, ty).is_some() {
            quote!(rt::checked(#tuple.#index))
        } else {
            quote!(#tuple.#index)
        }
    };
    elements.iter().enumerate().map(one).collect()
}
