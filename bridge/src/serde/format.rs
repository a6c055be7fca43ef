//! What writes values of serde's as terms, and reads them again

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Mapping, read, write};
use crate::{DecodeError, Heap, View};

/// A format of terms for values of serde's: each [`Mapping`] is one, and so is `SerdeRustler`.
pub trait Format: 'static {
    /// Writes a value.
    #[doc(hidden)]
    fn write<T: Serialize + ?Sized, H: Heap>(value: &T, heap: H) -> Result<H::Term, DecodeError>;

    /// Reads a value.
    #[doc(hidden)]
    fn read<'a, T: DeserializeOwned, V: View<'a>>(view: V) -> Result<T, DecodeError>;
}

impl<M: Mapping> Format for M {
    fn write<T: Serialize + ?Sized, H: Heap>(value: &T, heap: H) -> Result<H::Term, DecodeError> {
        write::write::<M, H, T>(value, heap)
    }

    fn read<'a, T: DeserializeOwned, V: View<'a>>(view: V) -> Result<T, DecodeError> {
        read::read::<M, V, T>(view)
    }
}
