//! Values that a method discards: `let _ = value;`. The attribute's macro wraps them, and the types
//! tell whether one is a future, which does nothing until it is awaited.

use super::operation::Ongoing;

/// A discarded value.
pub struct Ignored<T>(pub T);

impl<T: Future> Ignored<T> {
    /// Returns the value. It is never called, because the bound never holds.
    pub fn value(self) -> T
    where
        T: MayBeIgnored,
    {
        self.0
    }
}

/// A future that may be discarded: its operation has started and completes without it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "an operation does nothing until it is awaited",
    label = "write `.await` behind it"
)]
pub trait MayBeIgnored {}

#[diagnostic::do_not_recommend]
impl<T, O> MayBeIgnored for Ongoing<'_, T, O> {}

/// The fallback of `value` for all types that are not futures.
pub trait Ignorable {
    /// The type of the value.
    type Value;

    /// Returns the value.
    fn value(self) -> Self::Value;
}

impl<T> Ignorable for Ignored<T> {
    type Value = T;

    #[inline]
    fn value(self) -> T {
        self.0
    }
}
