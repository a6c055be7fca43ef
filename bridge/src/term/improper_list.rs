//! Lists that do not end in `[]`

use super::{Term, Terms};

/// A list with something other than `[]` after its last element: `[a, b | c]`.
#[derive(Clone)]
pub struct ImproperList {
    elements: Terms,
    tail: Box<Term>,
}

impl ImproperList {
    /// The term `[Elements | Tail]` for any tail. If the tail is a list, it continues the elements.
    /// Without elements the term is the tail.
    pub fn term(elements: impl Into<Terms>, tail: Term) -> Term {
        let mut elements = elements.into();
        match tail {
            tail if elements.is_empty() => tail,
            Term::List(more) => {
                elements.extend(more);
                Term::List(elements)
            }
            Term::ImproperList(more) => {
                elements.extend(more.elements);
                Term::ImproperList(ImproperList {
                    elements,
                    tail: more.tail,
                })
            }
            tail => Term::ImproperList(ImproperList {
                elements,
                tail: Box::new(tail),
            }),
        }
    }

    /// Moves the parts, so that they can be dropped one after another.
    pub(super) fn take_parts(&mut self, parts: &mut Vec<Term>) {
        parts.extend(std::mem::take(&mut self.elements));
        parts.push(std::mem::replace(&mut *self.tail, Term::nil()));
    }

    /// The elements, at least one.
    pub fn elements(&self) -> &[Term] {
        &self.elements
    }

    /// What follows the last element. It is not a list.
    pub fn tail(&self) -> &Term {
        &self.tail
    }
}
