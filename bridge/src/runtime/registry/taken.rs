//! What clauses take, for the checks of a module.

use crate::Term;
use crate::term::Shape;

/// A clause as the checks see it.
pub struct Taken {
    /// The types of its messages, as the source has them.
    pub message: &'static str,
    /// The shapes of these types.
    pub shapes: &'static [Shape],
    /// Which of them tells clauses apart: of that one, a clause below may take what is left.
    pub discriminant: Option<usize>,
}

impl Taken {
    /// Whether the clause may take these terms.
    pub(crate) fn may_take(&self, terms: &[&Term]) -> bool {
        let mut pairs = self.shapes.iter().zip(terms);
        self.shapes.len() == terms.len() && pairs.all(|(shape, term)| shape.may_be(*term))
    }
}
