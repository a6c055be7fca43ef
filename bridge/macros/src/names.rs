//! Names of what expansions declare: variables, parameters, types and statics.
//!
//! An Erlang atom is a unit struct in Rust. Where a struct `view` is in scope, `let view = …` is a
//! pattern that matches this struct, whatever the span of the identifier is. Any word can be an
//! atom, or a name of the user's. So everything that an expansion declares has a name that begins
//! with `__otp_`, `__Otp` or `__OTP_`. Templates write such names out; [`ours`] makes the others.
//! What an expansion uses and does not declare, it names by a path that begins with `::`.
//!
//! `tests/tests/pairs/hygiene.rs` compiles every macro with a unit struct of each other name in
//! scope.

use proc_macro2::{Ident, Span};

/// A name for what an expansion declares. The words' case is kept: `field_0` is `__otp_field_0`,
/// `Arguments` is `__OtpArguments`, `ATOM_0` is `__OTP_ATOM_0`.
pub(crate) fn ours(words: &str) -> Ident {
    let prefix = match words.chars().next() {
        Some(first) if first.is_lowercase() => "__otp_",
        _ if words.chars().any(char::is_lowercase) => "__Otp",
        _ => "__OTP_",
    };
    Ident::new(&format!("{prefix}{words}"), Span::call_site())
}
