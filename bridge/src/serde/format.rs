//! Formats, which write serde values as terms and read them again.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Mapping, read, write};
use crate::{DecodeError, Heap, View};

/// A format of terms for serde values: each [`Mapping`] is one, and so is `SerdeRustler`.
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
