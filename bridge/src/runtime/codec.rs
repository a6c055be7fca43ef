//! Finds out, where a state's type is known, whether it is a term.
//!
//! `(&Probe::<T>::new()).state_codec()` finds [`CodecOfTerms`] first. If the bounds of that do not
//! hold, it finds [`NoCodec`], which is one reference further away.

use std::marker::PhantomData;

use super::state_slot::StateCodec;
use crate::{FromTerm, ToTerm};

/// Stands for a type.
#[doc(hidden)]
pub struct Probe<T>(PhantomData<fn(T)>);

impl<T> Probe<T> {
    #[must_use]
    #[expect(clippy::new_without_default, reason = "for generated code")]
    pub fn new() -> Self {
        Probe(PhantomData)
    }
}

/// For types that are terms.
#[doc(hidden)]
pub trait CodecOfTerms<T> {
    fn state_codec(&self) -> Option<StateCodec<T>>;
}

impl<T: ToTerm + FromTerm> CodecOfTerms<T> for Probe<T> {
    fn state_codec(&self) -> Option<StateCodec<T>> {
        Some(StateCodec {
            encode: |state, heap| state.to_term(heap),
            decode: |term| T::from_term(term),
        })
    }
}

/// For all other types.
#[doc(hidden)]
pub trait NoCodec<T> {
    fn state_codec(&self) -> Option<StateCodec<T>>;
}

impl<T> NoCodec<T> for &Probe<T> {
    fn state_codec(&self) -> Option<StateCodec<T>> {
        None
    }
}
