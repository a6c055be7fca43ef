//! Conversions from bytes, text and times in the forms that one writes first.

use crate::term::types::{Binary, Bitstring, ErlangString, Iodata, Timeout};

macro_rules! bytes {
    ($($target:ident)*) => {$(
        impl<const N: usize> From<[u8; N]> for $target {
            fn from(bytes: [u8; N]) -> Self {
                $target::from(bytes.to_vec())
            }
        }

        impl<const N: usize> From<&[u8; N]> for $target {
            fn from(bytes: &[u8; N]) -> Self {
                $target::from(bytes.to_vec())
            }
        }
    )*};
}

bytes! { Binary Bitstring Iodata }

macro_rules! converted {
    ($($source:ty => $($target:ident)*;)*) => {$($(
        impl From<$source> for $target {
            fn from(value: $source) -> Self {
                $target::from(value.to_vec())
            }
        }
    )*)*};
}

converted! {
    &[u8] => Bitstring Iodata;
    Binary => Bitstring;
    Iodata => Bitstring;
}

impl From<Binary> for Iodata {
    /// Does not copy the bytes.
    fn from(binary: Binary) -> Self {
        Iodata::from(binary.into_bytes())
    }
}

impl From<Iodata> for Binary {
    /// Does not copy the bytes if they are one part.
    fn from(bytes: Iodata) -> Self {
        Binary::from(bytes.into_bytes())
    }
}

macro_rules! text {
    ($($target:ident)*) => {$(
        impl From<&String> for $target {
            fn from(text: &String) -> Self {
                $target::from(text.as_str())
            }
        }
    )*};
}

text! { Binary ErlangString Iodata }

/// A number of milliseconds.
impl From<u64> for Timeout {
    fn from(milliseconds: u64) -> Self {
        Timeout::Milliseconds(milliseconds)
    }
}
