//! Checks for events that a module gets in every state although only some of its clauses handle
//! them.

use super::later::takes_terms;
use crate::runtime::registry::Taken;
use crate::term::{Covers, Shape};

/// Returns whether one of these clauses matches everything.
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

/// Returns the index of the first of these events that a state's own clauses do not match, or their
/// number if there is none.
pub const fn first_missing(own: &[&[Shape]], events: &[Taken]) -> usize {
    let mut index = 0;
    while index < events.len() && takes_terms(own, events[index].shapes) {
        index += 1;
    }
    index
}
