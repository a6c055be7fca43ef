//! `handle_start`, a callback that OTP does not have: the Erlang module makes OTP call it after
//! `init/1` and before any message.
//!
//! | behaviour | `init/1` returns besides | OTP then calls | which calls |
//! |---|---|---|---|
//! | `gen_server` | `{continue, Start}` | `handle_continue(Start, State)` | `handle_start(Args, State)` |
//! | `gen_statem` | `{next_event, internal, Start}` | the function for the event `internal` with `Start` | `handle_start(Args, State, Data)` |
//!
//! `Start` is `{'$otp_rs', {start, Args}}`, which other code does not create.

use otp_contract::callback::CallbackKind;
use otp_contract::library::MARK;
use otp_contract::manifest::{Callback, LeftOut, Module, Signature};

use super::specification::spec;
use crate::text::atom;

/// A module with `handle_start`.
pub(super) struct Start<'m> {
    module: &'m Module,
    callback: &'m Callback,
    has_events: bool,
}

impl<'m> Start<'m> {
    /// Returns `None` if the module does not have it.
    pub(super) fn of(module: &'m Module) -> Option<Self> {
        Some(Start {
            module,
            callback: module.callback(CallbackKind::Start)?,
            has_events: module.has_event_types(),
        })
    }

    /// Returns the rest of the body of `init/1`, which handles the value of the library.
    pub(super) fn after_init(&self, returned: &str) -> String {
        let start = start("A1");
        let clauses = if self.has_events {
            format!(
                "{{ok, State, Data}} -> {{ok, State, Data, [{{next_event, internal, {start}}}]}};
        {{ok, State, Data, Actions}} when is_list(Actions) ->
            {{ok, State, Data, [{{next_event, internal, {start}}} | Actions]}};
        {{ok, State, Data, Action}} -> {{ok, State, Data, [{{next_event, internal, {start}}}, Action]}};"
            )
        } else {
            format!(
                "{{ok, State}} -> {{ok, State, {{continue, {start}}}}};
        {{ok, _, _}} -> error({{bad_return_value, <<\"handle_start/2 comes next: init/1 returns {{ok, State}}\">>}});"
            )
        };
        format!(
            "Returned = {returned},\n    case Returned of\n        {clauses}\n        Other -> Other\n    end"
        )
    }

    /// Returns the clause of `callback` that calls it, if OTP calls that function.
    pub(super) fn clause(&self, callback: &Callback) -> Option<String> {
        let (name, start) = (atom(&callback.name), start("Args"));
        let (begin, facts) = (atom(&self.callback.name), callback.facts);
        let text = if facts.kind == CallbackKind::Continue {
            format!("{name}({start}, State) ->\n    {begin}(Args, State);\n")
        } else if facts.event_type.is_none() {
            return None;
        } else if facts.chosen.is_some() {
            format!("{name}(internal, {start}, State, Data) ->\n    {begin}(Args, State, Data);\n")
        } else {
            format!("{name}(internal, {start}, Data) ->\n    {begin}(Args, {name}, Data);\n")
        };
        Some(text)
    }

    /// Returns the types of such a function with that clause.
    pub(super) fn signature(&self, callback: &Callback) -> Signature {
        let own = &self.callback.signature;
        let args = own.arguments.first().map_or("term()", String::as_str);
        let mut arguments = vec![start(args)];
        if self.has_events {
            arguments.insert(0, "internal".to_owned());
        }
        let others = callback.signature.arguments.iter().skip(arguments.len());
        arguments.extend(others.cloned());
        let clause = Signature {
            arguments,
            returns: own.returns.clone(),
        };
        Signature::union([&clause, &callback.signature])
    }

    /// Returns the function through which OTP calls it, if the module does not implement that
    /// function.
    pub(super) fn added(&self) -> Option<&'m LeftOut> {
        let continued = self.module.left_out(CallbackKind::Continue);
        continued.filter(|_| !self.has_events)
    }

    pub(super) fn function(&self) -> Option<String> {
        let name = atom(&self.added()?.name);
        let signature = &self.callback.signature;
        let [args, state] = signature.arguments.as_slice() else {
            return None;
        };
        let signature = Signature {
            arguments: vec![start(args), state.clone()],
            returns: signature.returns.clone(),
        };
        Some(format!(
            "\n{spec}{name}({start}, State) ->\n    {begin}(Args, State).\n",
            spec = spec(&name, &signature),
            start = start("Args"),
            begin = atom(&self.callback.name),
        ))
    }
}

/// Returns the term that OTP keeps between `init/1` and `handle_start`.
fn start(args: &str) -> String {
    format!("{{{}, {{start, {args}}}}}", atom(MARK))
}
