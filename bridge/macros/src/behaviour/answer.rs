//! Callbacks that users do not write because the other methods determine their result.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

use super::description::{Answer, Callback};

/// Returns the atoms of the result of `callback`, for an implementation that has these methods.
///
/// # Errors
/// The methods determine no result, or more than one.
pub(super) fn atoms<'a>(
    answer: &'a Answer,
    has: impl Fn(&syn::Ident) -> bool,
) -> Result<Vec<&'a str>, Wrong<'a>> {
    let called_for = |(_, methods): &&(String, Vec<syn::Ident>)| methods.iter().any(&has);
    let one_of: Vec<_> = answer.one_of.iter().filter(called_for).collect();
    let [(atom, _)] = one_of.as_slice() else {
        let atoms = |entries: &[&'a (String, Vec<syn::Ident>)]| {
            entries.iter().map(|(atom, _)| atom.as_str()).collect()
        };
        return Err(if one_of.is_empty() {
            Wrong::None(answer)
        } else {
            Wrong::Several(atoms(&one_of))
        });
    };
    let also = answer.also.iter().filter(called_for);
    Ok(std::iter::once(atom.as_str())
        .chain(also.map(|(atom, _)| atom.as_str()))
        .collect())
}

/// The reason why there is no single result.
pub(super) enum Wrong<'a> {
    /// No method determines it.
    None(&'a Answer),
    /// Methods determine different results.
    Several(Vec<&'a str>),
}

impl Wrong<'_> {
    /// Returns the `compile_error!`.
    pub(super) fn error(&self, callback: &Callback, type_name: &str, span: Span) -> TokenStream {
        let label = callback.label();
        let message = match self {
            Wrong::None(answer) => {
                let choices: Vec<String> = answer
                    .one_of
                    .iter()
                    .map(|(atom, methods)| format!("`{atom}` with {}", quoted(methods)))
                    .collect();
                format!(
                    "`{type_name}` has no callback that determines the return value of `{label}`: {}",
                    choices.join(", ")
                )
            }
            Wrong::Several(atoms) => format!(
                "`{type_name}` has callbacks for several answers of `{label}`, which gives one: `{}`",
                atoms.join("`, `")
            ),
        };
        let message = format!("{message}\n\n{}", callback.erlang);
        quote_spanned!(span=> ::core::compile_error!(#message);)
    }
}

fn quoted(methods: &[syn::Ident]) -> String {
    let quoted: Vec<String> = methods.iter().map(|method| format!("`{method}`")).collect();
    quoted.join(" or ")
}
