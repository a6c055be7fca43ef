//! Values that a callback returns and that have another callback called. The attribute's macro
//! hands them over where they are written, and the types say whether there is a clause for what
//! comes of them.

use std::marker::PhantomData;

/// A value `V` as the macro sees it: a tuple that begins with the atom `K`, or the arguments of the
/// function `K`.
///
/// A behaviour has a method `check` for each `V` that has an effect.
pub struct Effect<K, V>(pub K, pub V);

/// `check` of everything else.
pub trait NoEffect {
    /// The value.
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

/// `check` for these values, each with what the module needs:
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
