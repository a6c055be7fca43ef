//! Forms of callbacks that have none in OTP.
//!
//! `application` has optional callbacks that its manual page describes, but that have no form
//! before OTP 27. They exist in the oldest release as well, so their forms are added; a test makes
//! the installed Erlang call them. `handle_start` of `gen_server` and `gen_statem` is otp-rs's own:
//! the generated Erlang modules call it.

use otp_specs::ast::{FormKind, FunctionFormKind, Module};
use otp_specs::{NoIncludes, Options, parse_source};

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

/// Adds forms of optional callbacks that OTP's module does not have.
///
/// # Errors
/// The forms cannot be read.
pub fn add_callbacks(module: &mut Module) -> Result<(), String> {
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

/// Returns whether the module has a form for this callback.
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
