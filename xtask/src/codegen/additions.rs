//! Forms that OTP does not have: for functions that it exports without a `-spec`.
//!
//! `logger:info/1,2,3` and its like are `logger:log/2,3,4` with the level as the name. So their
//! forms are OTP's own forms of `log`, without the first argument. A test calls them on the
//! installed Erlang.

use otp_specs::ast::{FormKind, FunctionFormKind, Module};
use otp_specs::{NoIncludes, Options, parse_source, print};

pub(crate) const MODULE: &str = "logger";

/// The functions, which are levels.
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

/// The arguments of `log` that the others do not have: in a clause, and in its constraints.
const DROPPED: [(&str, &str); 2] = [("(Level, ", "("), ("Level :: level(), ", "")];

/// Adds the forms of functions to OTP's module.
///
/// # Errors
/// OTP's forms of `log` are not as they were, or the others have forms now.
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

/// The text of a function's `-spec`.
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
