//! Rust's integer types: ranges of `integer()`.

use std::num::NonZero;

use crate::term::Bound;
use crate::term::types::Integer;
use crate::term::{DecodeError, ErlangType, FromTerm, Heap, Shape, ToTerm, View};

/// Implements the traits for an integer type by conversion to a 64-bit type or to [`Integer`].
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
                let (low, high) = (<$primitive>::MIN.into(), <$primitive>::MAX.into());
                $read(view).ok_or_else(|| misfit::<Self, V>(view, low, high))
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
                let (low, high) = (<$primitive>::MIN.into(), <$primitive>::MAX.into());
                let value = $read(view).and_then(NonZero::<$primitive>::new);
                value.ok_or_else(|| misfit::<Self, V>(view, low, high))
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

/// Returns the shape of the integers from `lowest` to `highest`.
const fn shape(lowest: i128, highest: u128) -> Shape {
    if highest > i128::MAX as u128 {
        return Shape::Some(&Shape::Integers(Some(0), None));
    }
    Shape::Integers(Some(lowest), Some(highest as i128))
}

fn range(lowest: impl std::fmt::Display, highest: impl std::fmt::Display) -> String {
    format!("{lowest}..{highest}")
}

/// Returns the error of a term that is not one of the integers from `lowest` to `highest`. In
/// Erlang types, the wide integer types appear as `integer()` or `non_neg_integer()`: if the term
/// is one of these, only the Rust type is too narrow for it.
#[cold]
#[inline(never)]
pub(super) fn misfit<'a, T: ErlangType, V: View<'a>>(
    view: V,
    lowest: Integer,
    highest: Integer,
) -> DecodeError {
    match Bound::of::<T>(view.big_integer().as_ref(), &lowest, &highest) {
        Some(bound) => DecodeError::beyond_bound::<T, V>(&bound, view),
        None => DecodeError::expected::<T, V>(view),
    }
}

impl Bound {
    /// Returns the bound of the Rust type that an integer exceeds, if the Erlang type does not have
    /// this bound.
    pub(crate) fn of<T: ErlangType>(
        value: Option<&Integer>,
        lowest: &Integer,
        highest: &Integer,
    ) -> Option<Bound> {
        let value = value?;
        let is_above = value > highest && *highest >= i64::MAX.into();
        let is_below = value < lowest && *lowest <= i64::MIN.into();
        if !(is_above || is_below) || !T::erlang_type().ends_with("()") {
            return None;
        }
        let is_wide = *highest > u64::MAX.into();
        Some(if is_wide {
            Bound::BITS_128
        } else {
            Bound::BITS_64
        })
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
