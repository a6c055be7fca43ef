//! Libraries that were written with rustler (feature `nifs`, docs/from_rustler.md).

use crate::nif;
use crate::term::{DecodeError, ErlangType, FromTerm, Heap, ToTerm, View};

/// A value whose term is defined by rustler's `Encoder` and `Decoder`, as an argument, message,
/// field or result.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::{Rustler, Term};
///
/// /// `%Point{x: 1, y: 2}` in Elixir.
/// #[derive(Debug, rustler::NifStruct)]
/// #[module = "Point"]
/// struct Point {
///     x: i64,
///     y: i64,
/// }
///
/// /// `{move, Point}`
/// #[derive(Debug, Term)]
/// struct Move(Rustler<Point>);
/// ```
///
/// It is written and read through an environment of its own, so it is copied once more than a type
/// with `#[derive(Term)]`. It needs the VM.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rustler<T>(
    /// The value.
    pub T,
);

impl<T> ErlangType for Rustler<T> {
    fn erlang_type() -> String {
        "term()".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl<T: rustler::Encoder> ToTerm for Rustler<T> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.saved(&nif::encoded(&self.0))
    }
}

#[diagnostic::do_not_recommend]
impl<T: for<'t> rustler::Decoder<'t>> FromTerm for Rustler<T> {
    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        let read = nif::decoded(&view.save()?);
        let expected = || {
            format!(
                "a term that `{}` is decoded from",
                std::any::type_name::<T>()
            )
        };
        read.map(Rustler)
            .ok_or_else(|| DecodeError::expected_text(expected(), view))
    }
}
