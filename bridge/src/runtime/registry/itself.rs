//! One type under two names.

/// The type `T`, and no other one.
pub trait Itself<T>: sealed::Sealed<T> + 'static {
    /// The same value.
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
