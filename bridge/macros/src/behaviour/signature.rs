//! Rejects methods with a signature that no callback can have: generic, `unsafe`, without its own
//! arguments, or without a result.

use syn::spanned::Spanned;
use syn::{Error, GenericParam, ImplItemFn, Result, ReturnType, Type};

use super::arguments;
use super::description::Callback;
use crate::lifetimes;

/// Rejects a method that cannot be a clause of the callback.
pub(super) fn check(callback: &Callback, method: &ImplItemFn) -> Result<()> {
    check_qualifiers(callback, method)?;
    check_generics(callback, method)?;
    let types: Vec<&Type> = arguments::types(method).collect();
    let is_open = callback.is_open() && method.sig.asyncness.is_none();
    let mut others = types
        .iter()
        .filter(|ty| !(is_open && lifetimes::is_slice(ty)));
    others.try_for_each(|ty| check_type(callback, ty))
}

fn check_qualifiers(callback: &Callback, method: &ImplItemFn) -> Result<()> {
    let signature = &method.sig;
    let safety = match &signature.safety {
        syn::Safety::Default => None,
        other => Some(other.span()),
    };
    let qualifiers = [
        signature.constness.as_ref().map(Spanned::span),
        safety,
        signature.abi.as_ref().map(Spanned::span),
    ];
    match qualifiers.into_iter().flatten().next() {
        Some(span) => {
            let message = "is a plain `fn` or an `async fn`: leave this out";
            Err(Error::new(span, with_form(callback, message)))
        }
        None => Ok(()),
    }
}

fn check_generics(callback: &Callback, method: &ImplItemFn) -> Result<()> {
    let generics = &method.sig.generics;
    if let Some(parameter) = generics.params.first() {
        let message = match parameter {
            GenericParam::Lifetime(_) => {
                "owns its arguments, or borrows them for its own time (`&Request`): leave lifetimes out"
            }
            GenericParam::Type(_) | GenericParam::Const(_) => ONE_TYPE,
        };
        return Err(Error::new_spanned(parameter, with_form(callback, message)));
    }
    match &generics.where_clause {
        Some(bounds) => {
            let message = "has no `where`: its types are known";
            Err(Error::new_spanned(bounds, with_form(callback, message)))
        }
        None => Ok(()),
    }
}

const ONE_TYPE: &str = "has a clause for each type of message: name one in the place of the parameter; `Term` is every message";

fn check_type(callback: &Callback, ty: &Type) -> Result<()> {
    let message = match ty {
        Type::ImplTrait(_) => ONE_TYPE,
        Type::Reference(reference) if arguments::is_context(ty) => match reference.mutability {
            Some(_) => "gets its context as `cx: &Cx<'_>`",
            None => return Ok(()),
        },
        Type::Reference(reference) => match unowned(&reference.elem) {
            Some(message) => message,
            None => return Ok(()),
        },
        _ => return Ok(()),
    };
    Err(Error::new_spanned(ty, with_form(callback, message)))
}

/// Returns the replacement for a type without a size.
fn unowned(ty: &Type) -> Option<&'static str> {
    match ty {
        Type::Path(path) if path.path.is_ident("str") => {
            Some("gets terms that it owns: write `String` for a text, which is a binary in Erlang")
        }
        Type::Slice(_) => Some("gets terms that it owns: write `Vec<…>` for a list"),
        Type::TraitObject(_) => Some(ONE_TYPE),
        _ => None,
    }
}

/// Rejects a method that returns nothing, if the callback has to return a value. The compiler would
/// report it at the attribute.
pub(super) fn check_result(callback: &Callback, method: &ImplItemFn) -> Result<()> {
    let (ReturnType::Default, Some((ty, end))) = (&method.sig.output, &callback.result) else {
        return Ok(());
    };
    let message = format!("has to return something: write `-> {ty}`, and end with `{end}`");
    Err(Error::new(
        method.sig.ident.span(),
        with_form(callback, &message),
    ))
}

/// Returns "`handle_cast/2` has …", with its form.
fn with_form(callback: &Callback, message: &str) -> String {
    format!("`{}` {message}\n\n{}", callback.label(), callback.erlang)
}
