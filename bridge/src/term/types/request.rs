//! Requests, whose type determines the type of their reply.

use crate::term::{FromTerm, IsTerm, ToTerm};

/// A message that gets a reply: a request of `gen_server:call/2` and the like.
///
/// `#[derive(Term)] #[reply(Balance)]` on the request's type implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a request: it does not declare the type of its reply",
    label = "add `#[derive(Term)]` and `#[reply(Type)]` to the type"
)]
pub trait Request: ToTerm {
    /// The type of the reply. A long reply is written on another thread than the callback's.
    type Reply: IsTerm + Send + 'static;
}

/// A request whose reply is a term. Every request implements it; macros assume it where the
/// compiler reports a missing implementation elsewhere.
#[doc(hidden)]
pub trait Answered: Request<Reply: ToTerm + FromTerm + Send + 'static> {}

impl<R: Request<Reply: ToTerm + FromTerm + Send + 'static>> Answered for R {}
