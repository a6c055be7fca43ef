//! Terms that are saved without being read.

use std::any::Any;

use super::{DecodeError, Term};

/// A term that outlives the call that it arrived in, and that has not been read.
///
/// Reading a term into an owned one takes time in proportion to its size, and references are
/// converted to bytes on the way. A backend may save a term in a cheaper way.
pub struct Saved(SavedTerm);

enum SavedTerm {
    Owned(Term),
    Foreign(Box<dyn Foreign>),
}

/// A term that another backend stores.
pub(crate) trait Foreign: Any + Send + Sync {
    /// Returns a copy.
    fn duplicate(&self) -> Box<dyn Foreign>;

    /// Returns an owned copy of the term.
    ///
    /// # Errors
    /// It is nested deeper than [`super::MAX_DEPTH`].
    fn to_owned_term(&self) -> Result<Term, DecodeError>;
}

impl Saved {
    pub(crate) fn owned(term: Term) -> Self {
        Saved(SavedTerm::Owned(term))
    }

    pub(crate) fn foreign(term: impl Foreign) -> Self {
        Saved(SavedTerm::Foreign(Box::new(term)))
    }

    /// Returns the backend's term, if it is of this type.
    pub(crate) fn as_foreign<F: Foreign>(&self) -> Option<&F> {
        match &self.0 {
            SavedTerm::Owned(_) => None,
            SavedTerm::Foreign(term) => {
                let term: &dyn Any = &**term;
                term.downcast_ref()
            }
        }
    }

    /// Returns an owned copy of the term.
    ///
    /// # Errors
    /// It is nested deeper than [`super::MAX_DEPTH`].
    pub fn to_owned_term(&self) -> Result<Term, DecodeError> {
        match &self.0 {
            SavedTerm::Owned(term) => Ok(term.clone()),
            SavedTerm::Foreign(term) => term.to_owned_term(),
        }
    }
}

impl Clone for Saved {
    fn clone(&self) -> Self {
        Saved(match &self.0 {
            SavedTerm::Owned(term) => SavedTerm::Owned(term.clone()),
            SavedTerm::Foreign(term) => SavedTerm::Foreign(term.duplicate()),
        })
    }
}
