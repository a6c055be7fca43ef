//! Attributes that several macros read.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// Returns the lines of an item's doc comments that are string literals.
pub(crate) fn doc_lines(attributes: &[Attribute]) -> Vec<String> {
    let mut lines = Vec::new();
    for attribute in attributes {
        if let Meta::NameValue(meta) = &attribute.meta
            && meta.path.is_ident("doc")
            && let Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) = &meta.value
        {
            let text = text.value();
            let line = |line: &str| line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned();
            lines.extend(text.split('\n').map(line));
        }
    }
    lines
}

/// Converts `#[dirty(cpu)]` into `dirty_cpu`, and removes the attribute.
pub(crate) fn take_dirty(attributes: &mut Vec<Attribute>) -> syn::Result<Option<Ident>> {
    let Some(attribute) = take(attributes, "dirty") else {
        return Ok(None);
    };
    let kind = attribute.parse_args::<Ident>();
    let kind = kind.ok().filter(|kind| kind == "cpu" || kind == "io");
    match kind {
        Some(kind) if take(attributes, "dirty").is_none() => {
            Ok(Some(format_ident!("dirty_{kind}")))
        }
        _ => Err(syn::Error::new_spanned(
            attribute,
            "write `#[dirty(cpu)]` above work that computes, or `#[dirty(io)]` above work that waits for the system",
        )),
    }
}

/// Removes the attribute `#[normal]`, with which a function stays on normal schedulers even if it
/// is slow. Returns whether the function had it.
pub(crate) fn take_normal(attributes: &mut Vec<Attribute>) -> syn::Result<bool> {
    let Some(attribute) = take(attributes, "normal") else {
        return Ok(false);
    };
    let is_alone = take(attributes, "normal").is_none()
        && !attributes.iter().any(|it| it.path().is_ident("dirty"));
    if is_alone && matches!(attribute.meta, Meta::Path(_)) {
        return Ok(true);
    }
    Err(syn::Error::new_spanned(
        attribute,
        "write `#[normal]` above what stays on normal schedulers, and neither twice nor beside `#[dirty(…)]`",
    ))
}

/// Returns the registry's expression for the scheduler of a clause.
pub(crate) fn scheduler_of(is_normal: bool) -> TokenStream {
    if is_normal {
        return quote!(::otp_bridge::__private::ClauseScheduler::pinned);
    }
    quote!(|| {
        static __OTP_SCHEDULER: ::otp_bridge::__private::ClauseScheduler =
            ::otp_bridge::__private::ClauseScheduler::new();
        &__OTP_SCHEDULER
    })
}

/// Removes and returns the first attribute with this name.
pub(crate) fn take(attributes: &mut Vec<Attribute>, name: &str) -> Option<Attribute> {
    let mut all = attributes.iter();
    let index = all.position(|attribute| attribute.path().is_ident(name))?;
    Some(attributes.remove(index))
}
