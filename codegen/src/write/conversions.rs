//! `From` implementations.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::scope::{Scope, angle, angle_names, identifier, tokens};
use crate::ir::{Conversion, Item, Kind, Shape, Source, Variant};

/// The `From` implementations of an enum.
pub(super) fn conversions(scope: &Scope<'_>, item: &Item, variants: &[Variant]) -> TokenStream {
    let made = item.conversions.iter().filter_map(|conversion| {
        let variant = variants.get(conversion.variant)?;
        Some(implementation(scope, item, variant, conversion))
    });
    quote!(#(#made)*)
}

fn implementation(
    scope: &Scope<'_>,
    item: &Item,
    variant: &Variant,
    conversion: &Conversion,
) -> TokenStream {
    let from = scope.standard("From");
    let (name, own) = (identifier(&item.name), angle_names(&item.parameters));
    let Accepted { generics, ty } = accepted(scope, variant, &conversion.source, &mut 0);
    let own_names = item.parameters.iter().map(|parameter| {
        let parameter = identifier(parameter);
        quote!(#parameter)
    });
    let all: Vec<TokenStream> = own_names.chain(generics).collect();
    let all = angle(&all);
    let (binding, value) = value(scope, variant, &conversion.source);
    let target = identifier(&variant.name);
    quote! {
        impl #all #from<#ty> for #name #own {
            fn from(#binding: #ty) -> Self {
                Self::#target #value
            }
        }
    }
}

/// A type that converts, with the type parameters that it needs.
pub(super) struct Accepted {
    pub(super) generics: Vec<TokenStream>,
    pub(super) ty: TokenStream,
}

/// What conversion number `conversion` of `item` accepts. `values` counts the type parameters that
/// the place has named so far.
pub(super) fn accepted_by(
    scope: &Scope<'_>,
    item: &Item,
    conversion: usize,
    values: &mut usize,
) -> Option<Accepted> {
    let Kind::Enum(variants) = &item.kind else {
        return None;
    };
    let conversion = item.conversions.get(conversion)?;
    Some(accepted(
        scope,
        variants.get(conversion.variant)?,
        &conversion.source,
        values,
    ))
}

fn accepted(scope: &Scope<'_>, variant: &Variant, source: &Source, values: &mut usize) -> Accepted {
    let plain = |ty: TokenStream| Accepted {
        generics: Vec::new(),
        ty,
    };
    match source {
        Source::Atom(atom) => plain(scope.atom(atom)),
        Source::AtomValue(atom, _) => plain(scope.atom(atom)),
        Source::Through(path) => plain(tokens(path)),
        Source::Payload => {
            let types = variant.shape.types().into_iter().map(|ty| scope.ty(ty));
            plain(quote!(#(#types)*))
        }
        Source::Tuple => {
            let types = variant.shape.types().into_iter().map(|ty| scope.ty(ty));
            plain(quote!((#(#types,)*)))
        }
        Source::Tagged(tag) => tagged(scope, variant, tag, values),
    }
}

fn tagged(scope: &Scope<'_>, variant: &Variant, tag: &str, values: &mut usize) -> Accepted {
    let atom = scope.atom(tag);
    let mut generics = Vec::new();
    let mut types = Vec::new();
    for ty in variant.shape.types() {
        if scope.aliases.is_term(ty) {
            *values += 1;
            let name = identifier(&format!("Value{values}"));
            generics.push(quote!(#name: rt::ToTerm));
            types.push(quote!(#name));
        } else {
            types.push(scope.ty(ty));
        }
    }
    Accepted {
        generics,
        ty: quote!((#atom, #(#types,)*)),
    }
}

/// The name of what is converted, and the variant's elements made from it.
fn value(scope: &Scope<'_>, variant: &Variant, source: &Source) -> (TokenStream, TokenStream) {
    let types = variant.shape.types();
    match source {
        Source::Atom(_) => (quote!(_), TokenStream::new()),
        Source::Payload => (quote!(value), quote!((value))),
        Source::Through(_) => (quote!(value), quote!((value.into()))),
        Source::AtomValue(_, path) => {
            let constant = tokens(path);
            (quote!(_), quote!((#constant)))
        }
        Source::Tuple => {
            let indices = (0..types.len()).map(Literal::usize_unsuffixed);
            (quote!(tuple), quote!((#(tuple.#indices),*)))
        }
        Source::Tagged(_) if types.is_empty() => {
            let empty = matches!(variant.shape, Shape::Tagged(..)).then(|| quote!(()));
            (quote!(_), quote!(#empty))
        }
        Source::Tagged(_) => {
            let elements = types.iter().enumerate().map(|(index, ty)| {
                let index = Literal::usize_unsuffixed(index + 1);
                if scope.aliases.is_term(ty) {
                    quote!(rt::Term::of(&tuple.#index))
                } else {
                    quote!(tuple.#index)
                }
            });
            (quote!(tuple), quote!((#(#elements),*)))
        }
    }
}
