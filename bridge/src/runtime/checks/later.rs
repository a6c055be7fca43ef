//! Checks whether a module has a clause for messages that arrive later. The attribute's macro
//! implements the traits for the blocks that call a method with such messages.

use crate::term::Shape;

/// A module that has a clause for a message from OTP.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no clause for `{M}`",
    label = "its message arrives after this callback has returned",
    note = "write a clause for it, such as `fn handle_info(&mut self, _: {M})`, or wait for the message here"
)]
pub trait TakesLater<M, const YES: bool> {}

/// A module that has a clause for each of two messages from OTP. One error names both, because one
/// mistake should give one error.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no clause for `{M}`, or none for `{N}`",
    label = "these messages arrive after this callback has returned",
    note = "write clauses for them: `fn handle_info(&mut self, _: {M})` and `fn handle_info(&mut self, _: {N})`"
)]
pub trait TakesBoth<M, N> {}

#[diagnostic::do_not_recommend]
impl<T: TakesLater<M, true> + TakesLater<N, true>, M, N> TakesBoth<M, N> for T {}

/// A module that has a clause for the message of a timer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no clause for `TimerTimeout<{M}>`",
    label = "this arrives in a `TimerTimeout` when the time is over",
    note = "write a clause for it, such as `fn handle_info(&mut self, _: TimerTimeout<{M}>)`; `send_after` sends the message without `TimerTimeout`"
)]
pub trait TakesTimer<M, const YES: bool> {}

/// Returns whether one of these clauses may match these terms. A clause consists of the shapes of
/// its arguments.
pub const fn takes_terms(clauses: &[&[Shape]], terms: &[Shape]) -> bool {
    let mut index = 0;
    while index < clauses.len() {
        if may_take(clauses[index], terms) {
            return true;
        }
        index += 1;
    }
    false
}

const fn may_take(clause: &[Shape], terms: &[Shape]) -> bool {
    let mut index = 0;
    while index < clause.len() && index < terms.len() {
        if clause[index].excludes(&terms[index]) {
            return false;
        }
        index += 1;
    }
    clause.len() == terms.len()
}
