//! Starts that can be given a name.

use std::future::Future;

use super::StartLink;
use crate::process::Name;
use crate::runtime::{Await, Result, Started};

/// The start of a process that can be given a name: the result of
/// [`cx.start_child`](crate::supervisor::ChildRequests::start_child) and
/// [`cx.start_link`](super::Start::start_link).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the start of a `{P}`",
    label = "not the start of a `{P}`",
    note = "return what `cx.start_child(&supervisor, arguments)` or `cx.start_link::<T>(arguments)` returns, without `.await`"
)]
pub trait NamedStart<P>: Future<Output = Result<P>> + Send {
    /// Registers the process under this name.
    #[doc(hidden)]
    fn named(self, name: &Name) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Started> NamedStart<T::Reference> for Await<'_, T::Reference, StartLink<T>> {
    fn named(self, name: &Name) -> Self {
        self.registered(name.clone())
    }
}
