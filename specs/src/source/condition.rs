//! The stack of `-if`, `-ifdef` and `-ifndef` of one file.

use crate::ast::Place;
use crate::catalog;
use crate::diagnostic::Problem;

/// Where a conditional stands.
#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    /// The branch that holds is being read.
    Taken,
    /// No branch held yet.
    Waiting,
    /// A branch held, or the conditional stands in one that does not.
    Done,
}

#[derive(Debug)]
struct Condition {
    directive: &'static str,
    at: Place,
    state: State,
    in_else: bool,
}

/// The conditionals that are open, innermost last.
#[derive(Debug, Default)]
pub(super) struct Conditions(Vec<Condition>);

impl Conditions {
    /// Whether forms here count.
    pub(super) fn active(&self) -> bool {
        self.0
            .last()
            .is_none_or(|condition| condition.state == State::Taken)
    }

    /// `-if`, `-ifdef`, `-ifndef`
    pub(super) fn open(&mut self, directive: &'static str, at: Place, value: bool) {
        let state = match (self.active(), value) {
            (false, _) => State::Done,
            (true, true) => State::Taken,
            (true, false) => State::Waiting,
        };
        self.0.push(Condition {
            directive,
            at,
            state,
            in_else: false,
        });
    }

    /// Whether the value of an `-elif` here matters.
    pub(super) fn wants_elif(&self) -> bool {
        self.0
            .last()
            .is_some_and(|last| last.state == State::Waiting && !last.in_else)
    }

    /// `-elif`
    pub(super) fn elif(&mut self, at: Place, value: bool) -> Result<(), Problem> {
        let unbalanced = Problem::new(&catalog::UNBALANCED, at, "elif");
        let Some(last) = self.0.last_mut() else {
            return Err(unbalanced);
        };
        last.state = match (last.state, value) {
            (State::Waiting, true) => State::Taken,
            (State::Waiting, false) => State::Waiting,
            _ => State::Done,
        };
        if last.in_else {
            Err(unbalanced)
        } else {
            Ok(())
        }
    }

    /// `-else`
    pub(super) fn otherwise(&mut self, at: Place) -> Result<(), Problem> {
        let Some(last) = self.0.last_mut() else {
            return Err(Problem::new(&catalog::UNBALANCED, at, "else"));
        };
        let repeated = last.in_else;
        last.in_else = true;
        last.state = match last.state {
            State::Waiting => State::Taken,
            _ => State::Done,
        };
        if repeated {
            Err(Problem::new(&catalog::REPEATED_ELSE, at, ""))
        } else {
            Ok(())
        }
    }

    /// `-endif`
    pub(super) fn close(&mut self, at: Place) -> Result<(), Problem> {
        match self.0.pop() {
            Some(_) => Ok(()),
            None => Err(Problem::new(&catalog::UNBALANCED, at, "endif")),
        }
    }

    /// What is still open at the end of the file.
    pub(super) fn unterminated(&self) -> impl Iterator<Item = Problem> {
        let problems: Vec<_> = self
            .0
            .iter()
            .rev()
            .map(|open| Problem::new(&catalog::UNTERMINATED_CONDITION, open.at, open.directive))
            .collect();
        problems.into_iter()
    }
}
