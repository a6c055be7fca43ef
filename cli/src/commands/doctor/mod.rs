//! `cargo otp doctor`: checks whether this machine has everything that an application needs.

mod application;
mod erlang;
mod machine;

use serde_json::json;

use crate::args::Doctor;
use crate::installation::Installation;
use crate::report::{Error, Result, Ui, catalog, quoted};

/// The state of a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It is as it should be.
    Fine,
    /// A feature that not every application needs does not work.
    Warning,
    /// No application can be built or run.
    Missing,
}

/// The state of a thing, and the remedy.
#[derive(Debug)]
struct Finding {
    name: &'static str,
    state: State,
    found: String,
    help: Vec<String>,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            State::Fine => "ok",
            State::Warning => "warning",
            State::Missing => "missing",
        }
    }
}

impl Finding {
    fn fine(name: &'static str, found: impl Into<String>) -> Self {
        Self::new(name, State::Fine, found)
    }

    fn warning(name: &'static str, found: impl Into<String>) -> Self {
        Self::new(name, State::Warning, found)
    }

    fn missing(name: &'static str, found: impl Into<String>) -> Self {
        Self::new(name, State::Missing, found)
    }

    fn new(name: &'static str, state: State, found: impl Into<String>) -> Self {
        Self {
            name,
            state,
            found: found.into(),
            help: Vec::new(),
        }
    }

    /// Returns a finding with the error that another command would report.
    fn refused(name: &'static str, state: State, error: &Error) -> Self {
        let location = error.location().map(|location| format!(" ({location})"));
        let found = format!("{}{}", error.what(), location.unwrap_or_default());
        let mut finding = Self::new(name, state, found);
        let remedies = error.remedies();
        finding.help.extend(remedies.into_iter().map(str::to_owned));
        finding
    }

    fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Returns a line for it, and one for each remedy.
    fn text(&self) -> String {
        let state = self.state.word();
        let help = self.help.iter();
        let help: String = help.map(|it| format!("{:23}help: {it}\n", "")).collect();
        format!("{state:>9}  {:12}{}\n{help}", self.name, self.found)
    }
}

pub(crate) fn execute(options: &Doctor, ui: &Ui) -> Result<()> {
    let otp = Installation::find();
    let mut findings = erlang::findings(&otp);
    findings.extend(machine::findings(otp.as_ref().ok()));
    findings.extend(application::findings(
        otp.as_ref().ok(),
        options.manifest.path.as_deref(),
    ));
    for finding in &findings {
        if ui.is_json() {
            ui.record(&json!({
                "reason": "otp-check",
                "name": finding.name,
                "state": finding.state.word(),
                "found": finding.found,
                "help": finding.help,
            }))
        } else {
            ui.output(&finding.text())
        }
    }
    let missing = findings.iter().filter(|it| it.state == State::Missing);
    let missing: Vec<&str> = missing.map(|it| it.name).collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(catalog::UNFIT.with(&[&quoted(&missing)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_a_line_and_one_for_each_remedy() {
        let finding = Finding::warning("locale", "LANG is C").help("export LANG=C.UTF-8");
        let expected =
            "  warning  locale      LANG is C\n                       help: export LANG=C.UTF-8\n";
        assert_eq!(finding.text(), expected);
    }

    #[test]
    fn an_error_of_another_command_is_told_with_its_remedy() {
        let error = catalog::NO_ERL.error().help("install it");
        let finding = Finding::refused("erlang", State::Missing, &error);
        assert_eq!(finding.found, "there is no `erl` on PATH");
        assert_eq!(finding.help, ["install it"]);
    }
}
