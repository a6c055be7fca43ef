//! Values that a call uses but does not own.

use std::borrow::Borrow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

/// A value that was read from a term of a call, and that only references to it leave. So it may
/// rely on the term: a resource is not counted once more, which would write memory that all
/// processes with this resource share.
pub struct Lent<'a, T> {
    value: T,
    term: PhantomData<&'a ()>,
}

impl<'a, T> Lent<'a, T> {
    /// Wraps a value. If it relies on the term, the caller chooses the lifetime accordingly.
    pub(crate) fn new(value: T) -> Self {
        Lent {
            value,
            term: PhantomData,
        }
    }

    /// Converts the value into one that relies on it. `convert` must not keep the value.
    pub(crate) fn map<U>(self, convert: impl FnOnce(T) -> U) -> Lent<'a, U> {
        Lent::new(convert(self.value))
    }
}

impl<T> Borrow<T> for Lent<'_, T> {
    fn borrow(&self) -> &T {
        &self.value
    }
}

impl<T> Deref for Lent<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Lent<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(formatter)
    }
}
