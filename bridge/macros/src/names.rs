//! Names of the items that expansions declare: variables, parameters, types and statics.
//!
//! An Erlang atom is a unit struct in Rust. If a struct `view` is in scope, `let view = …` is a
//! pattern that matches this struct, whatever the span of the identifier is. Any word can be an
//! atom, or a name of the user's. So every name that an expansion declares starts with `__otp_`,
//! `__Otp` or `__OTP_`. Templates write such names in full; [`ours`] creates the others. An
//! expansion refers to all other items by paths that start with `::`.
//!
//! `tests/tests/pairs/hygiene.rs` compiles every macro with a unit struct of every other name in
//! scope.

use proc_macro2::{Ident, Span};

/// Returns a name for an item of an expansion. It keeps the case of the words: `field_0` becomes
/// `__otp_field_0`, `Arguments` becomes `__OtpArguments`, `ATOM_0` becomes `__OTP_ATOM_0`.
pub(crate) fn ours(words: &str) -> Ident {
    let prefix = match words.chars().next() {
        Some(first) if first.is_lowercase() => "__otp_",
        _ if words.chars().any(char::is_lowercase) => "__Otp",
        _ => "__OTP_",
    };
    Ident::new(&format!("{prefix}{words}"), Span::call_site())
}
