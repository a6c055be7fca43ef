//! Forms that OTP does not have: for functions that it exports without a `-spec`, and for callbacks that it calls without a
//! `-callback`.
//!
//! `application` has optional callbacks, which its manual page describes; before OTP 27 they have no form. Applications
//! on the oldest release have them as well, so their forms are added. A test has them called by the installed Erlang.
//! `handle_start` of `gen_server` and `gen_statem` is otp-rs's own: the generated Erlang modules call it.
//!
//! `logger:info/1,2,3` and its like are `logger:log/2,3,4` with the level as the name. So their forms are OTP's own
//! forms of `log`, without the first argument. A test calls them on the installed Erlang.

use otp_specs::ast::{FormKind, FunctionFormKind, Module};
use otp_specs::{NoIncludes, Options, parse_source, print};

/// The module.
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

/// Callbacks without a form in OTP, and their forms.
const CALLBACKS: [(&str, &str); 3] = [
    (
        "application",
        "-callback start_phase(Phase :: atom(), StartType :: start_type(), PhaseArgs :: term()) ->
             ok | {error, Reason :: term()}.
         -callback prep_stop(State :: term()) -> NewState :: term().
         -callback config_change(
             Changed :: [{Par :: atom(), Val :: term()}], New :: [{Par :: atom(), Val :: term()}],
             Removed :: [Par :: atom()]
         ) -> ok.
         -optional_callbacks([start_phase/3, prep_stop/1, config_change/3]).",
    ),
    (
        "gen_server",
        "-callback handle_start(Args :: term(), State :: term()) ->
             {noreply, NewState :: term()}
           | {noreply, NewState :: term(), timeout() | hibernate | {continue, term()}}
           | {stop, Reason :: term(), NewState :: term()}.
         -optional_callbacks([handle_start/2]).",
    ),
    (
        "gen_statem",
        "-callback handle_start(Args :: term(), State :: state(), Data :: data()) ->
             event_handler_result(state()).
         -optional_callbacks([handle_start/3]).",
    ),
];

/// Adds forms of optional callbacks, if OTP's module does not have them.
///
/// # Errors
/// The forms cannot be read.
pub(crate) fn add_callbacks(module: &mut Module) -> Result<(), String> {
    let own = CALLBACKS.iter();
    for (_, forms) in own.filter(|(name, _)| module.name.as_deref() == Some(*name)) {
        let parsed = parse_source(
            "additions",
            forms.as_bytes(),
            &NoIncludes,
            &Options::default(),
        );
        if let Some(found) = parsed.diagnostics.first() {
            return Err(format!("{found:?} in {forms}"));
        }
        let added = parsed.module.forms;
        if !added
            .iter()
            .any(|form| has_callback(module, &form.form.kind))
        {
            module.forms.extend(added);
        }
    }
    Ok(())
}

/// Whether the module has a form for this callback.
fn has_callback(module: &Module, kind: &FormKind) -> bool {
    let named = |kind: &FormKind| match kind {
        FormKind::Function(form) if form.kind == FunctionFormKind::Callback => {
            Some((form.name.clone(), form.arity))
        }
        _ => None,
    };
    let sought = named(kind);
    sought.is_some()
        && module
            .forms
            .iter()
            .any(|entry| named(&entry.form.kind) == sought)
}

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
