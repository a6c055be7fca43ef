//! Changed callback modules: callbacks are missing, clauses overlap, states and functions do not
//! match, or values trigger a callback without a clause. Each module is either right, or refused by
//! one error that quotes the form.

mod effects;
mod missing;
mod overlapping;
mod states;

use std::collections::BTreeSet;

use crate::otp::Otp;
use crate::scratch;

/// A module.
pub(crate) struct Case {
    /// The change.
    pub(crate) change: String,
    /// The text, which forms a Rust module of its own.
    pub(crate) text: String,
    /// The function whose form the error quotes, or `None` if the module is right.
    pub(crate) refused: Option<String>,
}

/// Checks all modules in one run of the compiler. Returns how many are right and how many are
/// wrong.
pub(crate) fn check(name: &str, otp: &Otp, behaviour: &str, cases: &[Case]) -> (usize, usize) {
    let mut lines: Vec<String> =
        vec!["//! Written by the test `mutation` of otp-tests.".to_owned()];
    let mut ranges = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let first = lines.len() + 1;
        lines.push(format!("pub mod case{number} {{"));
        lines.extend(case.text.lines().map(str::to_owned));
        lines.push("}".to_owned());
        ranges.push(first..=lines.len());
    }
    let errors = scratch::check(name, &lines.join("\n"));
    let mut findings = Vec::new();
    for (case, range) in cases.iter().zip(ranges) {
        let found: BTreeSet<&String> = errors.range(range).flat_map(|(_, texts)| texts).collect();
        let form = case.refused.as_ref().map(|of| otp.form(behaviour, of));
        let is_right = match &form {
            None => found.is_empty(),
            Some(form) => found.len() == 1 && found.iter().all(|text| text.contains(form)),
        };
        if !is_right {
            let (change, refused) = (&case.change, &case.refused);
            findings.push(format!(
                "{change}: expected {refused:?}, got {found:#?}\n{}",
                case.text
            ));
        }
    }
    let (wrong, of) = (findings.len(), cases.len());
    assert!(
        findings.is_empty(),
        "{wrong} of {of}\n{}",
        findings.join("\n")
    );
    let refused = cases.iter().filter(|case| case.refused.is_some()).count();
    (cases.len() - refused, refused)
}
