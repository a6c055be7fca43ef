//! Attributes that several macros read.

use proc_macro2::Ident;
use quote::format_ident;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The lines of an item's doc comments, as far as they are written out.
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

/// `#[dirty(cpu)]` becomes `dirty_cpu`, and is taken off.
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

/// The first attribute of this name, which is taken off.
pub(crate) fn take(attributes: &mut Vec<Attribute>, name: &str) -> Option<Attribute> {
    let mut all = attributes.iter();
    let index = all.position(|attribute| attribute.path().is_ident(name))?;
    Some(attributes.remove(index))
}
