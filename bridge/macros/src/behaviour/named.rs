//! Callbacks that stand for functions of any name: `#[state_name] fn locked(…)` is `locked/3`.

use otp_contract::behaviour::Flag;
use otp_contract::limits::ATOM_CHARACTERS;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Ident, ImplItemFn, LitStr, Meta};

use super::description::Description;
use crate::names::ours;

/// Returns the mark of `method`, and its function in Erlang; `None` if it has no mark. Removes the
/// mark.
pub(super) fn of_any_name(
    description: &Description,
    method: &mut ImplItemFn,
) -> syn::Result<Option<(Ident, String)>> {
    let mut found = None;
    for callback in &description.callbacks {
        if !callback.has(Flag::AnyName) {
            continue;
        }
        let is_mark = |attribute: &Attribute| attribute.path().is_ident(&callback.written);
        let Some(mark) = method.attrs.iter().position(is_mark) else {
            continue;
        };
        let mark = method.attrs.remove(mark);
        if found.is_some() {
            let message = "a function stands for one callback";
            return Err(syn::Error::new_spanned(mark, message));
        }
        found = Some((callback.written.clone(), function(&mark, method)?));
    }
    Ok(found)
}

fn function(mark: &Attribute, method: &ImplItemFn) -> syn::Result<String> {
    match &mark.meta {
        Meta::Path(_) => {
            let name = method.sig.ident.to_string();
            Ok(name.trim_start_matches("r#").to_owned())
        }
        _ => {
            let name: LitStr = mark.parse_args()?;
            match name.value().chars().count() {
                1..=ATOM_CHARACTERS => Ok(name.value()),
                _ => Err(syn::Error::new(
                    name.span(),
                    format!("the name of a function has one to {ATOM_CHARACTERS} characters"),
                )),
            }
        }
    }
}

/// Returns the type that stands for a function's name in the callback's trait.
pub(super) fn marker(function: &str) -> Ident {
    let legible: String = function
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    // Names that differ in other characters must remain distinct.
    let others: String = function
        .chars()
        .filter(|c| !c.is_ascii_alphanumeric() && *c != '_')
        .map(|c| format!("_{:x}", u32::from(c)))
        .collect();
    ours(&format!("name_{legible}{others}"))
}

/// Returns a type for each of these functions.
pub(super) fn markers<'f>(functions: impl Iterator<Item = &'f str>) -> TokenStream {
    let mut names: Vec<Ident> = Vec::new();
    for marker in functions.map(marker) {
        if !names.contains(&marker) {
            names.push(marker);
        }
    }
    quote!(#(#[allow(non_camel_case_types)] struct #names;)*)
}
