//! The arguments that clauses match, for the checks of a module.

use crate::Term;
use crate::term::Shape;

/// A clause as the checks see it.
pub struct Taken {
    /// The types of its messages, as the source has them.
    pub message: &'static str,
    /// The shapes of these types.
    pub shapes: &'static [Shape],
    /// The index of the shape that distinguishes clauses. A clause below may match the rest of that
    /// one.
    pub discriminant: Option<usize>,
}

impl Taken {
    /// Returns whether the clause may match these terms.
    pub(crate) fn may_take(&self, terms: &[&Term]) -> bool {
        let mut pairs = self.shapes.iter().zip(terms);
        self.shapes.len() == terms.len() && pairs.all(|(shape, term)| shape.may_be(*term))
    }
}
