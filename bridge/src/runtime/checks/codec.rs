//! Finds out whether the type of a state is a term, so that a state may also be of another type.
//! Does the same for the start argument of a module.
//!
//! `(&CodecProbe::<T>::new()).state_codec()` resolves to [`CodecOfTerms`] first. If its bounds do
//! not hold, the call resolves to [`NoCodec`], which is one reference further away.

use std::marker::PhantomData;

use crate::runtime::registry::StateCodec;
use crate::runtime::registry::arrival::arrived;
use crate::term::{describe, is_longer_than};
use crate::{DecodeError, Definitions, FromTerm, Term, ToTerm};

/// Stands for the type `T`.
#[doc(hidden)]
pub struct CodecProbe<T>(PhantomData<fn(T)>);

impl<T> CodecProbe<T> {
    #[must_use]
    #[expect(clippy::new_without_default, reason = "for generated code")]
    pub fn new() -> Self {
        CodecProbe(PhantomData)
    }
}

/// For types that are terms.
#[doc(hidden)]
pub trait CodecOfTerms<T> {
    fn state_codec(&self) -> Option<StateCodec<T>>;
}

impl<T: ToTerm + FromTerm> CodecOfTerms<T> for CodecProbe<T> {
    fn state_codec(&self) -> Option<StateCodec<T>> {
        Some(StateCodec {
            encode: |state, heap| state.to_term(heap),
            decode: |term, process| {
                let mut state = T::from_term(term)?;
                arrived(&mut state, process);
                Ok(state)
            },
            form: T::erlang_type,
            text: |state, parts, characters| {
                let is_longer = is_longer_than(parts, |scale| state.to_term(scale));
                (!is_longer).then(|| describe(&Term::of(state), characters))
            },
        })
    }
}

/// For all other types.
#[doc(hidden)]
pub trait NoCodec<T> {
    fn state_codec(&self) -> Option<StateCodec<T>>;
}

impl<T> NoCodec<T> for &CodecProbe<T> {
    fn state_codec(&self) -> Option<StateCodec<T>> {
        None
    }
}

/// For start arguments that are terms. For other types, the behaviour's own trait reports the
/// error.
#[doc(hidden)]
pub trait ArgumentOfTerms<T> {
    fn term(&self, argument: &T) -> Term;
    fn text(&self, types: &mut Definitions) -> String;
    fn takes(&self, argument: &Term) -> Result<(), DecodeError>;
}

impl<T: ToTerm + FromTerm> ArgumentOfTerms<T> for CodecProbe<T> {
    fn term(&self, argument: &T) -> Term {
        Term::of(argument)
    }

    fn text(&self, types: &mut Definitions) -> String {
        types.text::<T>()
    }

    fn takes(&self, argument: &Term) -> Result<(), DecodeError> {
        T::from_term(argument).map(drop)
    }
}

/// For all other types.
#[doc(hidden)]
pub trait NoArgument<T> {
    fn term(&self, argument: &T) -> Term;
    fn text(&self, types: &mut Definitions) -> String;
    fn takes(&self, argument: &Term) -> Result<(), DecodeError>;
}

impl<T> NoArgument<T> for &CodecProbe<T> {
    fn term(&self, _: &T) -> Term {
        unreachable!("such a module is not compiled")
    }

    fn text(&self, _: &mut Definitions) -> String {
        unreachable!("such a module is not compiled")
    }

    fn takes(&self, _: &Term) -> Result<(), DecodeError> {
        unreachable!("such a module is not compiled")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_state_with_many_parts_is_not_written() {
        let probe = CodecProbe::<Vec<u64>>::new();
        let codec = probe.state_codec().expect("a list is a term");
        let text = |parts, characters| (codec.text)(&vec![1, 2, 1_000], parts, characters);
        assert_eq!(text(3, 100).as_deref(), Some("[1,2,1000]"));
        assert_eq!(text(3, 4).as_deref(), Some("[1,2..."));
        assert_eq!(text(2, 100), None);
        let other = CodecProbe::<std::sync::Mutex<u64>>::new();
        assert!((&other).state_codec().is_none());
    }
}
