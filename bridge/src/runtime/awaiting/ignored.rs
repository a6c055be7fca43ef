//! Values that a method throws away: `let _ = value;`. The attribute's macro hands them over, and
//! the types say whether one is a future, which does nothing until it is awaited.

use super::operation::Ongoing;

/// A value that is thrown away.
pub struct Ignored<T>(pub T);

impl<T: Future> Ignored<T> {
    /// Returns the value, which nothing can be.
    pub fn value(self) -> T
    where
        T: MayBeIgnored,
    {
        self.0
    }
}

/// A future that may be thrown away: what it waits for has begun, and goes on without it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "an operation does nothing until it is awaited",
    label = "write `.await` behind it"
)]
pub trait MayBeIgnored {}

#[diagnostic::do_not_recommend]
impl<T, O> MayBeIgnored for Ongoing<'_, T, O> {}

/// `value` of everything that is not a future.
pub trait Ignorable {
    /// The value.
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
