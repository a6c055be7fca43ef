//! Adds forms for functions that OTP exports without a `-spec`.
//!
//! `logger:info/1,2,3` and similar functions are `logger:log/2,3,4` with the level as their name.
//! So their forms are OTP's own forms of `log` without the first argument. A test calls these
//! functions on the installed Erlang.

use otp_specs::ast::{FormKind, FunctionFormKind, Module};
use otp_specs::{NoIncludes, Options, parse_source, print};

pub(crate) const MODULE: &str = "logger";

/// The functions. Each one is named after a level.
pub(crate) const LEVELS: [&str; 8] = [
    "emergency",
    "alert",
    "critical",
    "error",
    "warning",
    "notice",
    "info",
    "debug",
];

/// The arguments of `log` that the other functions lack: in a clause, and in its constraints.
const DROPPED: [(&str, &str); 2] = [("(Level, ", "("), ("Level :: level(), ", "")];

/// Adds the forms of functions to OTP's module.
///
/// # Errors
/// OTP's forms of `log` have changed, or the other functions have forms now.
pub(crate) fn add(module: &mut Module) -> Result<(), String> {
    let mut added = Vec::new();
    for arity in 1..=3 {
        let log = spec(module, "log", arity + 1)
            .ok_or_else(|| format!("{MODULE}:log/{} has no -spec", arity + 1))?;
        let shorter = DROPPED
            .iter()
            .fold(log, |text, (dropped, left)| text.replace(dropped, left));
        for level in LEVELS {
            if spec(module, level, arity).is_some() {
                return Err(format!(
                    "{MODULE}:{level}/{arity} has a -spec of its own now"
                ));
            }
            let text = shorter.replacen("log(", &format!("{level}("), 1);
            let parsed = parse_source(
                "additions",
                text.as_bytes(),
                &NoIncludes,
                &Options::default(),
            );
            match (
                parsed.diagnostics.first(),
                parsed.module.forms.into_iter().next(),
            ) {
                (None, Some(entry)) if !text.contains("Level") => added.push(entry),
                (found, _) => return Err(format!("{found:?} in {text}")),
            }
        }
    }
    module.forms.extend(added);
    Ok(())
}

/// Returns the text of a function's `-spec`.
fn spec(module: &Module, name: &str, arity: usize) -> Option<String> {
    let is_it = |kind: &FormKind| match kind {
        FormKind::Function(form) => {
            form.kind == FunctionFormKind::Spec && form.name == name && form.arity == arity
        }
        FormKind::Type(_)
        | FormKind::Module(_)
        | FormKind::Record(_)
        | FormKind::ExportType(_)
        | FormKind::OptionalCallbacks(_)
        | FormKind::Export(_)
        | FormKind::ExportAll
        | FormKind::Behaviour(_) => false,
    };
    let entry = module.forms.iter().find(|entry| is_it(&entry.form.kind))?;
    Some(print::form(&entry.form))
}
