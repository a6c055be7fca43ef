//! Traits of the types that distinguish a callback's clauses.

use proc_macro2::TokenStream;
use quote::quote;

use super::conversions::{accepted_by, takes_reply};
use super::returns::escaped;
use super::scope::{Scope, angle, doc, identifier, tokens};
use crate::complete::Source;
use crate::ir::{Behaviour, Discriminant, Item, ItemKind, RustType, VariantShape};

/// The type parameter of these traits.
const EVENT: &str = "Event";

pub(super) fn discriminants(scope: &Scope<'_>, behaviour: &Behaviour) -> TokenStream {
    let written = behaviour
        .discriminants
        .iter()
        .filter_map(|discriminant| one(scope, discriminant));
    quote!(#(#written)*)
}

fn one(scope: &Scope<'_>, discriminant: &Discriminant) -> Option<TokenStream> {
    let scope = &scope.with_parameters(&[EVENT.to_owned()]);
    let RustType::Item { name: union, .. } = &discriminant.union else {
        return None;
    };
    let item = item(scope, union)?;
    let erlang = &discriminant.erlang;
    let doc = doc(&format!(
        "A part of `{erlang}`: what tells the clauses of a callback apart, beside a content of the \
         type `Event`.\n\n`{}`",
        item.erlang
    ));
    let message = format!(
        "`{{Self}}` is not a part of `{}` for `{{Event}}`",
        escaped(erlang)
    );
    let label = format!("not a part of `{}`", escaped(erlang));
    let note = escaped(&item.erlang);
    let name = identifier(&discriminant.name);
    let whole = scope.local_item(union);
    let parts =
        (0..scope.complete.conversions(item).len()).filter_map(|number| part(scope, item, number));
    let parts = parts.map(|(generics, content, ty)| {
        // The compiler then lists only those types that are a single form each.
        let quiet = (generics.len() > 1).then(|| quote!(#[diagnostic::do_not_recommend]));
        let generics = angle(&generics);
        quote!(#quiet impl #generics #name<#content> for #ty {})
    });
    Some(quote! {
        #doc
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)]
        pub trait #name<Event>: rt::FromTerm {}
        #[diagnostic::do_not_recommend]
        impl<Event> #name<Event> for #whole {}
        #(#parts)*
    })
}

fn item<'m>(scope: &Scope<'m>, name: &str) -> Option<&'m Item> {
    scope.complete.item(name)
}

/// Returns one type that converts into the union: type parameters, the content beside it, the type.
/// If the type contains the caller of a request, the content is that request.
fn part(
    scope: &Scope<'_>,
    item: &Item,
    number: usize,
) -> Option<(Vec<TokenStream>, TokenStream, TokenStream)> {
    let (inner, number) = innermost(scope, item, number)?;
    let source = &scope.complete.conversions(inner).get(number)?.source;
    let content = quote!(Event);
    if let (Source::Tagged(tag), ItemKind::Enum(variants)) = (source, &inner.kind) {
        let shape = &variants
            .get(scope.complete.conversions(inner).get(number)?.variant)?
            .shape;
        if shape.types().into_iter().any(takes_reply) {
            let types = with_reply_of_content(scope, shape);
            let atom = scope.atom(tag);
            let generics = vec![quote!(Event: rt::Request)];
            return Some((generics, content, quote!((#atom, #(#types,)*))));
        }
    }
    // A type that is not a term cannot be decoded from one.
    if let Source::Through(_)
    | Source::Bool(_)
    | Source::Milliseconds
    | Source::Number(_)
    | Source::AnyTuple(_) = source
    {
        return None;
    }
    let accepted = accepted_by(scope, inner, number, &mut 0)?;
    if accepted
        .generics
        .iter()
        .any(|generic| generic.into.is_some())
    {
        return None;
    }
    let more = accepted.generics.iter().map(|generic| {
        let name = &generic.name;
        quote!(#name: rt::FromTerm)
    });
    let generics = std::iter::once(content.clone()).chain(more).collect();
    Some((generics, content, accepted.ty))
}

/// Returns the types of a variant, in which a reply is the reply to the content.
fn with_reply_of_content(scope: &Scope<'_>, shape: &VariantShape) -> Vec<TokenStream> {
    let one = |ty: &RustType| match ty {
        RustType::Mapped {
            path,
            reply: Some(_),
        } => {
            let path = tokens(path);
            quote!(#path<Event::Reply>)
        }
        other => scope.ty(other),
    };
    shape.types().into_iter().map(one).collect()
}

/// Returns the innermost conversion of a conversion through other unions.
fn innermost<'m>(scope: &Scope<'m>, item: &'m Item, number: usize) -> Option<(&'m Item, usize)> {
    match &scope.complete.conversions(item).get(number)?.source {
        Source::Within {
            module,
            item,
            conversion,
            ..
        } if *module == scope.module.name => {
            innermost(scope, self::item(scope, item)?, *conversion)
        }
        Source::Within { .. } => None,
        _ => Some((item, number)),
    }
}
