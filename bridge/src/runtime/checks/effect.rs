//! Return values that trigger another callback. The attribute's macro wraps them where they are
//! written, and the types tell whether there is a clause for the triggered event.

use std::marker::PhantomData;

/// A value `V` as the macro sees it: a tuple with the atom `K` as its first element, or the
/// arguments of the function `K`.
///
/// A behaviour implements a method `check` for each `V` that has an effect.
pub struct Effect<K, V>(pub K, pub V);

/// The fallback of `check` for all other values.
pub trait NoEffect {
    /// The type of the value.
    type Value;

    /// Returns the value.
    fn check<T>(self, module: PhantomData<T>) -> Self::Value;
}

impl<K, V> NoEffect for Effect<K, V> {
    type Value = V;

    fn check<T>(self, _: PhantomData<T>) -> V {
        self.1
    }
}

/// Implements `check` for these values, each with its requirement on the module:
/// `key: [types] (value) => check [bound];`. The compiler's messages point at the bound.
macro_rules! effects {
    ($($key:ident: [$($parameter:tt),*] $value:ty => $check:ident [$($bound:tt)*];)*) => {$(
        impl<$($parameter),*> $crate::runtime::Effect<key::$key, $value> {
            /// Returns the value.
            pub fn $check<T: $($bound)*>(self, _: ::core::marker::PhantomData<T>) -> $value {
                self.1
            }
        }
    )*};
}

pub(crate) use effects;
