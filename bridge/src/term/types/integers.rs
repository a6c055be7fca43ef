//! Rust's integer types: ranges of `integer()`

use std::num::NonZero;

use crate::term::types::Integer;
use crate::term::{DecodeError, ErlangType, FromTerm, Heap, Shape, TermKind, ToTerm, View};

/// Implements the traits for an integer type by way of a 64-bit type or of [`Integer`].
macro_rules! integer_types {
    ($($primitive:ty: $text:expr, $build:ident, $read:ident $(, $bytes:path)?;)*) => {$(
        impl ErlangType for $primitive {
            fn erlang_type() -> String {
                String::from($text)
            }

            $(
                fn __as_bytes(slice: &[Self]) -> Option<&[u8]> {
                    $bytes(slice)
                }
            )?
        }

        #[diagnostic::do_not_recommend]
        impl ToTerm for $primitive {
            #[inline]
            fn to_term<H: Heap>(&self, heap: H) -> H::Term {
                $build(*self, heap)
            }
        }

        #[diagnostic::do_not_recommend]
        impl FromTerm for $primitive {
            const KIND: Shape = shape(<$primitive>::MIN as i128, <$primitive>::MAX as u128);

            #[inline]
            fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
                $read(view).ok_or_else(|| {
                    out_of_range::<Self, V>(view, <$primitive>::MIN, <$primitive>::MAX)
                })
            }
        }

        impl ErlangType for NonZero<$primitive> {
            fn erlang_type() -> String {
                nonzero_type(<$primitive>::MIN, <$primitive>::MAX, $text)
            }
        }

        #[diagnostic::do_not_recommend]
        impl ToTerm for NonZero<$primitive> {
            fn to_term<H: Heap>(&self, heap: H) -> H::Term {
                self.get().to_term(heap)
            }
        }

        #[diagnostic::do_not_recommend]
        impl FromTerm for NonZero<$primitive> {
            const KIND: Shape = match <$primitive>::MIN {
                0 => shape(1, <$primitive>::MAX as u128),
                lowest => Shape::Union(&[
                    Shape::Integers(Some(lowest as i128), Some(-1)),
                    shape(1, <$primitive>::MAX as u128),
                ]),
            };

            fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
                let value = $read(view).and_then(NonZero::<$primitive>::new);
                value.ok_or_else(|| DecodeError::expected::<Self, V>(view))
            }
        }
    )*};
}

integer_types! {
    i8: range(i8::MIN, i8::MAX), build_signed, read_signed;
    i16: range(i16::MIN, i16::MAX), build_signed, read_signed;
    i32: range(i32::MIN, i32::MAX), build_signed, read_signed;
    i64: "integer()", build_signed, read_signed;
    isize: "integer()", build_size, read_signed;
    i128: "integer()", build_big, read_big;
    u8: range(u8::MIN, u8::MAX), build_signed, read_unsigned, Some;
    u16: range(u16::MIN, u16::MAX), build_signed, read_unsigned;
    u32: range(u32::MIN, u32::MAX), build_signed, read_unsigned;
    u64: "non_neg_integer()", build_unsigned, read_unsigned;
    usize: "non_neg_integer()", build_unsigned_size, read_unsigned;
    u128: "non_neg_integer()", build_big, read_big;
}

/// The integers from `lowest` to `highest`.
const fn shape(lowest: i128, highest: u128) -> Shape {
    if highest > i128::MAX as u128 {
        return Shape::Some(&Shape::Integers(Some(0), None));
    }
    Shape::Integers(Some(lowest), Some(highest as i128))
}

fn range(lowest: impl std::fmt::Display, highest: impl std::fmt::Display) -> String {
    format!("{lowest}..{highest}")
}

/// In Erlang types, the wide integer types stand as `integer()` or `non_neg_integer()`, which hold
/// for all practical values. But the error for an integer that is too large gives the limits.
#[cold]
#[inline(never)]
fn out_of_range<'a, T: ErlangType, V: View<'a>>(
    view: V,
    lowest: impl std::fmt::Display + Default + PartialEq,
    highest: impl std::fmt::Display,
) -> DecodeError {
    let is_unsigned = is_zero(&lowest);
    let is_negative = view
        .big_integer()
        .is_some_and(|value| value < Integer::default());
    match view.kind() {
        TermKind::Integer if !(is_unsigned && is_negative) => {
            DecodeError::expected_text(range(lowest, highest), view)
        }
        _ => DecodeError::expected::<T, V>(view),
    }
}

fn is_zero<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn nonzero_type<T: std::fmt::Display + Default + PartialEq>(
    lowest: T,
    highest: T,
    text: impl Into<String>,
) -> String {
    let text = text.into();
    match (is_zero(&lowest), text.ends_with("()")) {
        (true, true) => "pos_integer()".to_owned(),
        (true, false) => range(1, highest),
        (false, true) => "neg_integer() | pos_integer()".to_owned(),
        (false, false) => format!("{lowest}..-1 | 1..{highest}"),
    }
}

fn build_signed<H: Heap>(value: impl Into<i64>, heap: H) -> H::Term {
    heap.integer(value.into())
}

fn build_unsigned<H: Heap>(value: u64, heap: H) -> H::Term {
    heap.unsigned(value)
}

fn build_size<H: Heap>(value: isize, heap: H) -> H::Term {
    // No platform of Rust has an `isize` of more than 64 bits.
    heap.integer(value as i64)
}

fn build_unsigned_size<H: Heap>(value: usize, heap: H) -> H::Term {
    // No platform of Rust has a `usize` of more than 64 bits.
    heap.unsigned(value as u64)
}

fn build_big<H: Heap, T>(value: T, heap: H) -> H::Term
where
    T: Copy + TryInto<i64>,
    Integer: From<T>,
{
    match value.try_into() {
        Ok(value) => heap.integer(value),
        Err(_) => heap.big_integer(&Integer::from(value)),
    }
}

#[inline]
fn read_signed<'a, V: View<'a>, T: TryFrom<i64>>(view: V) -> Option<T> {
    T::try_from(view.integer()?).ok()
}

#[inline]
fn read_unsigned<'a, V: View<'a>, T: TryFrom<u64>>(view: V) -> Option<T> {
    T::try_from(view.unsigned()?).ok()
}

fn read_big<'a, V: View<'a>, T>(view: V) -> Option<T>
where
    T: TryFrom<i64> + for<'i> TryFrom<&'i Integer>,
{
    match view.integer() {
        Some(value) => T::try_from(value).ok(),
        None => T::try_from(&view.big_integer()?).ok(),
    }
}
