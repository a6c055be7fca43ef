//! The three traits of a typed term

use super::{DecodeError, Heap, View};

/// A Rust type that has an Erlang type.
pub trait ErlangType {
    /// The Erlang text of the type, for messages and specifications:
    /// `permanent | transient | temporary`.
    fn erlang_type() -> String;
}

/// A value that can be written as a term.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no Erlang form to be written in",
    label = "`#[derive(Term)]` on a type of yours gives it one"
)]
pub trait ToTerm: ErlangType {
    /// Builds the term of `self` on `heap`.
    fn to_term<H: Heap>(&self, heap: H) -> H::Term;
}

/// A value that can be read from a term.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no Erlang form to be read from",
    label = "`#[derive(Term)]` on a type of yours gives it one"
)]
pub trait FromTerm: ErlangType + Sized {
    /// Reads the value out of `view`.
    ///
    /// # Errors
    /// The term is not of the type: the error says where, what was expected and what is there.
    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError>;
}
