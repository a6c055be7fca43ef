//! Encoding and decoding the values of properties.

use otp_bridge::term::Ranged;

/// A type of property values.
pub trait Edt: Sized {
    /// Maximum length of a value in bytes.
    const LONGEST: usize;

    /// Encodes the value, and appends it.
    fn write(&self, edt: &mut Vec<u8>);

    /// Decodes a value. Returns `None` if the bytes are not one.
    fn read(edt: &[u8]) -> Option<Self>;
}

macro_rules! numbers {
    ($($type:ty),*) => { $(
        impl Edt for $type {
            const LONGEST: usize = size_of::<$type>();

            fn write(&self, edt: &mut Vec<u8>) {
                edt.extend_from_slice(&self.to_be_bytes());
            }

            fn read(edt: &[u8]) -> Option<Self> {
                edt.try_into().ok().map(<$type>::from_be_bytes)
            }
        }
    )* };
}

numbers!(u8, i8, u16, i16, u32, i32);

impl<const SIZE: usize> Edt for [u8; SIZE] {
    const LONGEST: usize = SIZE;

    fn write(&self, edt: &mut Vec<u8>) {
        edt.extend_from_slice(self);
    }

    fn read(edt: &[u8]) -> Option<Self> {
        edt.try_into().ok()
    }
}

/// A value that is longer than a property may be is not sent.
impl Edt for Vec<u8> {
    const LONGEST: usize = 255;

    fn write(&self, edt: &mut Vec<u8>) {
        edt.extend_from_slice(self);
    }

    fn read(edt: &[u8]) -> Option<Self> {
        Some(edt.to_vec())
    }
}

macro_rules! ranges {
    ($($type:ty),*) => { $(
        impl<const LEAST: i128, const MOST: i128> Edt for Ranged<$type, LEAST, MOST> {
            const LONGEST: usize = {
                assert!(LEAST <= MOST, "no value is in this range");
                assert!(
                    LEAST >= <$type>::MIN as i128 && MOST <= <$type>::MAX as i128,
                    "the range is wider than its integer"
                );
                size_of::<$type>()
            };

            fn write(&self, edt: &mut Vec<u8>) {
                self.get().write(edt);
            }

            fn read(edt: &[u8]) -> Option<Self> {
                <$type>::read(edt).and_then(Ranged::new)
            }
        }
    )* };
}

ranges!(u8, i8, u16, i16);
