//! A bound that requires two types to be the same.

/// Implemented for the type `T` alone.
pub trait Itself<T>: sealed::Sealed<T> + 'static {
    /// Returns the value.
    fn of(value: T) -> Self;
}

impl<T: 'static> Itself<T> for T {
    fn of(value: T) -> Self {
        value
    }
}

mod sealed {
    pub trait Sealed<T> {}

    impl<T> Sealed<T> for T {}
}
