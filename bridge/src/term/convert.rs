//! The three traits of a typed term

use super::{DecodeError, Heap, View};

/// A Rust type that has an Erlang type.
pub trait ErlangType {
    /// The Erlang text of the type, for messages and specifications:
    /// `permanent | transient | temporary`.
    fn erlang_type() -> String;
}

/// A value that can be written as a term.
///
/// Its implementations, and those of [`FromTerm`], are not recommended: for a type that has no Erlang form the
/// compiler would name eight of some hundred others.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no Erlang form to be written in",
    label = "`#[derive(Term)]` on a type of yours gives it one",
    note = "a list, tuple, map, `Option` or `Box` has one if all that it holds have one"
)]
pub trait ToTerm: ErlangType {
    /// Builds the term of `self` on `heap`.
    fn to_term<H: Heap>(&self, heap: H) -> H::Term;

    /// [`ErlangType::erlang_type`], for derived code: a field of a type without a form is one error, not one for
    /// each trait.
    #[doc(hidden)]
    fn __erlang_type() -> String {
        Self::erlang_type()
    }
}

/// A value that can be read from a term.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no Erlang form to be read from",
    label = "`#[derive(Term)]` on a type of yours gives it one",
    note = "a list, tuple, map, `Option` or `Box` has one if all that it holds have one"
)]
pub trait FromTerm: ErlangType + Sized {
    /// Reads the value out of `view`.
    ///
    /// # Errors
    /// The term is not of the type: the error says where, what was expected and what is there.
    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError>;
}
