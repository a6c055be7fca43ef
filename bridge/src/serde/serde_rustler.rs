//! The mapping of serde_rustler (feature `serde_rustler`), which is now a part of rustler.

use ::rustler::serde as theirs;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Format;
use crate::term::{Shape, Term};
use crate::{DecodeError, ErlangType, FromTerm, Heap, ToTerm, View, nif};

/// A serde value in serde_rustler's mapping: in rustler's NIFs, and as an argument, message or
/// result here.
pub use ::rustler::SerdeTerm;

/// The mapping of serde_rustler: a struct is a map with `__struct__`, `None` is `nil`, and variants
/// are tagged tuples.
///
/// Callers of libraries written with rustler or serde_rustler know this mapping. `docs/serde.md`
/// has its limits. The most important one is that **an atom that the VM does not have yet is
/// written as a binary**. It needs the VM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SerdeRustler {}

impl Format for SerdeRustler {
    fn write<T: Serialize + ?Sized, H: Heap>(value: &T, heap: H) -> Result<H::Term, DecodeError> {
        let written = nif::written_by_rustler(|env| theirs::to_term(env, value));
        let saved = written.map_err(|error| {
            DecodeError::new("a value that serde_rustler writes", error.to_string())
        })?;
        Ok(heap.saved(&saved))
    }

    fn read<'a, T: DeserializeOwned, V: View<'a>>(view: V) -> Result<T, DecodeError> {
        // rustler recurses without a limit, so this rejects terms that are nested too deeply.
        let term = Term::from_term(view)?;
        let read = nif::read_by_rustler(|heap| term.to_term(heap), |term| theirs::from_term(term));
        read.map_err(|error| {
            let name = std::any::type_name::<T>();
            let expected = format!("a term that serde_rustler reads as `{name}` ({error})");
            DecodeError::expected_text(expected, view)
        })
    }
}

impl<T> ErlangType for SerdeTerm<T> {
    fn erlang_type() -> String {
        "term()".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> ToTerm for SerdeTerm<T> {
    /// # Panics
    /// If the value has no term: an infinite float, or NaN.
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        match SerdeRustler::write(&self.0, heap) {
            Ok(term) => term,
            Err(error) => panic!("{error}"),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> FromTerm for SerdeTerm<T> {
    const KIND: Shape = Shape::Any;

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        SerdeRustler::read(view).map(SerdeTerm)
    }
}
