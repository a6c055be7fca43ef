//! Lists that do not end in `[]`

use super::Term;

/// A list with something other than `[]` after its last element: `[a, b | c]`.
#[derive(Clone)]
pub struct ImproperList {
    elements: Vec<Term>,
    tail: Box<Term>,
}

impl ImproperList {
    /// The term `[Elements | Tail]` for any tail. If the tail is a list, it continues the elements.
    /// Without elements the term is the tail.
    pub fn term(mut elements: Vec<Term>, tail: Term) -> Term {
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

    /// The elements, at least one.
    pub fn elements(&self) -> &[Term] {
        &self.elements
    }

    /// What follows the last element. It is not a list.
    pub fn tail(&self) -> &Term {
        &self.tail
    }
}
