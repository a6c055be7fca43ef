//! Events that a module gets although only some of its clauses know them. The attribute's macro calls each check at a span
//! of the user's source.

use super::clauses::Message;
use super::later::takes_terms;
use crate::runtime::registry::Taken;
use crate::term::{Covers, Shape};

/// Refuses clauses if no one takes everything, where every event comes to every module.
#[track_caller]
pub const fn check_whole(clauses: &[&[Shape]], callback: &str, method: &str, form: &str) {
    let mut index = 0;
    while index < clauses.len() {
        if takes_all(clauses[index]) {
            return;
        }
        index += 1;
    }
    let message = Message::new().with("`").with(callback);
    let message = message.with("` has no clause for other events: every handler gets each event, and OTP removes one that fails");
    let message = message.with("\n\nWrite `fn ").with(method);
    let message = message
        .with("(&mut self, _: Term)` below the others\n\n")
        .with(form);
    panic!("{}", message.text());
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

/// Refuses the function of a state that has no clause for an event which another state has one for. `others` are those
/// clauses, each with its function.
#[track_caller]
pub const fn check_everywhere(
    own: &[&[Shape]],
    others: &[(&str, Taken)],
    function: &str,
    attribute: &str,
    form: &str,
) {
    let mut index = 0;
    while index < others.len() {
        let (other, taken) = &others[index];
        if !takes_terms(own, taken.shapes) {
            let message = Message::new().with("the state `").with(function);
            let message = message.with("` has no clause for `").with(taken.message);
            let message = message.with("`, which comes in every state; `").with(other);
            let message = message.with(
                "` has one\n\nWrite a clause that handles it, or that says what becomes of it: `#[",
            );
            let message = message
                .with(attribute)
                .with("] fn ")
                .with(function)
                .with("(&mut self, _: EventType, _: Term)`, which returns `keep_state_actions(postpone)` or `keep_state()`\n\n");
            panic!("{}", message.with(form).text());
        }
        index += 1;
    }
}
