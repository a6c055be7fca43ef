//! Events that a module gets although only some of its clauses know them.

use super::later::takes_terms;
use crate::runtime::registry::Taken;
use crate::term::{Covers, Shape};

/// Whether one of these clauses takes everything.
pub const fn take_all(clauses: &[&[Shape]]) -> bool {
    let mut index = 0;
    while index < clauses.len() {
        if takes_all(clauses[index]) {
            return true;
        }
        index += 1;
    }
    false
}

const fn takes_all(clause: &[Shape]) -> bool {
    let mut index = 0;
    while index < clause.len() {
        if !matches!(clause[index].covers(&Shape::Any), Covers::Yes) {
            return false;
        }
        index += 1;
    }
    true
}

/// Which of these events a state's own clauses do not take, or how many there are.
pub const fn first_missing(own: &[&[Shape]], events: &[Taken]) -> usize {
    let mut index = 0;
    while index < events.len() && takes_terms(own, events[index].shapes) {
        index += 1;
    }
    index
}
