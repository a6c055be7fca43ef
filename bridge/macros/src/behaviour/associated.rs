//! The associated types of the block.

use otp_contract::behaviour::{ANY_CHILD, CHILD};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Error, Ident, ImplItem, ImplItemMacro, ImplItemType, Path, Result};

use super::description::Description;

/// Returns the associated types that the behaviour requires.
fn names(description: &Description) -> Vec<&Ident> {
    let names = description.start_argument().into_iter();
    names.chain(&description.chosen).collect()
}

/// Returns whether this item is the type of the module's children, and the behaviour allows one.
pub(super) fn is_child(description: &Description, item: &ImplItem) -> bool {
    description.children.is_some() && matches!(item, ImplItem::Type(ty) if ty.ident == CHILD)
}

/// Returns the implementation of the trait with the type of the module's children, if the block has
/// one.
pub(super) fn children(
    description: &Description,
    self_type: &syn::Type,
    items: &[&ImplItem],
) -> Option<TokenStream> {
    let (children, path) = (description.children.as_ref()?, &description.path);
    let given = items.iter().find(|item| is_child(description, item));
    let child = match given {
        Some(ImplItem::Type(ImplItemType { ty, .. })) => ty.to_token_stream(),
        _ => {
            let any = format_ident!("{ANY_CHILD}");
            quote!(#path::#any)
        }
    };
    let name = format_ident!("{CHILD}");
    Some(quote!(impl #children for #self_type { type #name = #child; }))
}

/// Rejects items that the behaviour does not know, and reports missing ones.
pub(super) fn check(
    description: &Description,
    umbrella: &Path,
    items: &[&ImplItem],
    type_name: &str,
) -> Result<()> {
    let names = names(description);
    for item in items {
        match item {
            ImplItem::Type(ty) if names.contains(&&ty.ident) => {}
            item if is_child(description, item) => {}
            ImplItem::Type(ty) => return Err(unknown(description, ty)),
            ImplItem::Macro(call) => return Err(written_by_macro(description, call)),
            ImplItem::Verbatim(_) => {}
            other => {
                let message = format!(
                    "a block of `{}` may contain only callbacks and `{}`: move this to an `impl {type_name}` block",
                    description.behaviour,
                    quoted(&names),
                );
                return Err(Error::new_spanned(other, message));
            }
        }
    }
    match names.iter().find(|name| !is_given(items, name)) {
        Some(name) => Err(Error::new_spanned(umbrella, missing(description, name))),
        None => Ok(()),
    }
}

/// Returns the error for a macro call in the block: the attribute gets the call, and not its
/// expansion.
fn written_by_macro(description: &Description, call: &ImplItemMacro) -> Error {
    let behaviour = &description.behaviour;
    let message = format!(
        "`#[{behaviour}]` reads the block before macros in it are expanded: let the macro write the whole block, with `#[{behaviour}]` above it"
    );
    Error::new_spanned(&call.mac, message)
}

fn is_given(items: &[&ImplItem], name: &Ident) -> bool {
    let is = |item: &&ImplItem| matches!(item, ImplItem::Type(ty) if ty.ident == *name);
    items.iter().any(is)
}

/// Returns `` type Args` and `type State ``, to be placed between backquotes.
fn quoted(names: &[&Ident]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("type {name}")).collect();
    names.join("` and `")
}

fn unknown(description: &Description, ty: &ImplItemType) -> Error {
    let child = description
        .children
        .as_ref()
        .map(|_| format_ident!("{CHILD}"));
    let names = quoted(
        &names(description)
            .into_iter()
            .chain(&child)
            .collect::<Vec<_>>(),
    );
    let (umbrella, name) = (&description.umbrella, &ty.ident);
    let message = format!("`{umbrella}` has no `type {name}`; it has `{names}`");
    Error::new_spanned(&ty.ident, message)
}

fn missing(description: &Description, name: &Ident) -> String {
    let umbrella = &description.umbrella;
    if description.chosen.as_ref() == Some(name) {
        return format!(
            "`{umbrella}` needs `type {name} = …;`, a term that the callbacks pass to each other"
        );
    }
    let takes = |callback: &&super::description::Callback| {
        callback
            .arguments
            .iter()
            .any(|argument| argument.name == *name)
    };
    let callback = description.callbacks.iter().find(takes);
    let (label, form) = callback.map_or_else(Default::default, |callback| {
        (callback.label(), callback.erlang.clone())
    });
    format!("`{umbrella}` needs `type {name} = …;`, the type of an argument of `{label}`\n\n{form}")
}

/// Returns the associated types of a block with an error: those that it has, and `()` for the
/// missing ones.
pub(super) fn stand_ins(description: &Description, items: &[&ImplItem]) -> TokenStream {
    let names = names(description).into_iter().map(|name| {
        let given = items.iter().find_map(|item| match item {
            ImplItem::Type(ty) if ty.ident == *name => Some(ty.to_token_stream()),
            _ => None,
        });
        given.unwrap_or_else(|| quote!(type #name = ();))
    });
    quote!(#(#names)*)
}
