//! The stack of `-if`, `-ifdef` and `-ifndef` of one file.

use crate::ast::Location;
use crate::catalog;
use crate::diagnostic::LocalDiagnostic;

/// The state of a conditional.
#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    /// The branch that holds is being read.
    Taken,
    /// No branch held yet.
    Waiting,
    /// A branch held, or the conditional is inside a branch that does not hold.
    Done,
}

#[derive(Debug)]
struct Condition {
    directive: &'static str,
    at: Location,
    state: State,
    in_else: bool,
}

/// The open conditionals, innermost last.
#[derive(Debug, Default)]
pub(super) struct Conditions(Vec<Condition>);

impl Conditions {
    /// Returns whether forms here count.
    pub(super) fn active(&self) -> bool {
        self.0
            .last()
            .is_none_or(|condition| condition.state == State::Taken)
    }

    /// `-if`, `-ifdef`, `-ifndef`
    pub(super) fn open(&mut self, directive: &'static str, at: Location, value: bool) {
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

    /// Returns whether the value of an `-elif` here matters.
    pub(super) fn evaluates_elif(&self) -> bool {
        self.0
            .last()
            .is_some_and(|last| last.state == State::Waiting && !last.in_else)
    }

    /// `-elif`
    pub(super) fn elif(&mut self, at: Location, value: bool) -> Result<(), LocalDiagnostic> {
        let Some(last) = self.0.last_mut() else {
            return Err(catalog::UNBALANCED.at(at, "elif"));
        };
        last.state = match (last.state, value) {
            (State::Waiting, true) => State::Taken,
            (State::Waiting, false) => State::Waiting,
            _ => State::Done,
        };
        if last.in_else {
            Err(catalog::REPEATED_ELSE.at(at, "elif"))
        } else {
            Ok(())
        }
    }

    /// `-else`
    pub(super) fn otherwise(&mut self, at: Location) -> Result<(), LocalDiagnostic> {
        let Some(last) = self.0.last_mut() else {
            return Err(catalog::UNBALANCED.at(at, "else"));
        };
        let repeated = last.in_else;
        last.in_else = true;
        last.state = match last.state {
            State::Waiting => State::Taken,
            _ => State::Done,
        };
        if repeated {
            Err(catalog::REPEATED_ELSE.at(at, "else"))
        } else {
            Ok(())
        }
    }

    /// `-endif`
    pub(super) fn close(&mut self, at: Location) -> Result<(), LocalDiagnostic> {
        match self.0.pop() {
            Some(_) => Ok(()),
            None => Err(catalog::UNBALANCED.at(at, "endif")),
        }
    }

    /// Returns a diagnostic for each conditional that is open at the end of the file.
    pub(super) fn unterminated(&self) -> impl Iterator<Item = LocalDiagnostic> {
        let diagnostics: Vec<_> = self
            .0
            .iter()
            .rev()
            .map(|open| catalog::UNTERMINATED_CONDITION.at(open.at, open.directive))
            .collect();
        diagnostics.into_iter()
    }
}
