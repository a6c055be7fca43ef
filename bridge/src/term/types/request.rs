//! Requests, whose type fixes the type of their reply

use crate::term::{FromTerm, ToTerm};

/// A message that is answered: `gen_server:call/2`'s request and the like.
///
/// `#[derive(Term)] #[reply(Balance)]` on the request's type implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a request: it does not say what answers it",
    label = "`#[derive(Term)]` and `#[reply(Type)]` on the type make it one"
)]
pub trait Request: ToTerm + FromTerm {
    /// What the answer is.
    type Reply: ToTerm + FromTerm;
}
