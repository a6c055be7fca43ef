//! Tasks between two callbacks: the functions that receive OTP's messages pass those for tasks to
//! the library.
//!
//! | behaviour | function | returns for such a message |
//! |---|---|---|
//! | `gen_server` | `handle_info/2` | `{noreply, State}` |
//! | `gen_statem` | `handle_event/4` or those of states, for an `info` | `keep_state_and_data`, with the event timeout that it would stop |

use otp_contract::callback::CallbackKind;
use otp_contract::manifest::{Callback, LeftOut, Module, Signature};
use otp_contract::modules::{self, SPANS};

use super::specification::spec;
use crate::text::atom;

/// The event type of messages in a `gen_statem`.
const INFO: &str = "info";

/// A module whose processes keep their tasks between two callbacks.
pub(super) struct Tasks<'m> {
    module: &'m Module,
    library: String,
    has_events: bool,
}

impl<'m> Tasks<'m> {
    /// Returns `None` if its processes do not keep tasks.
    pub(super) fn of(application: &str, module: &'m Module) -> Option<Self> {
        module.keeps_tasks().then(|| Tasks {
            module,
            library: modules::library(application),
            has_events: module.has_event_types(),
        })
    }

    /// Returns the function that is added to the module, because it would otherwise take no
    /// messages except requests.
    pub(super) fn added(&self) -> Option<&'m LeftOut> {
        let messages = self.module.left_out(CallbackKind::Info);
        messages.filter(|_| !self.has_events)
    }

    /// Returns the callback for messages of a module that does not implement it.
    pub(super) fn function(&self) -> Option<String> {
        let name = atom(&self.added()?.name);
        let (library, state) = (&self.library, self.module.state.as_deref());
        let state = format!("{}()", atom(state.unwrap_or("term")));
        let signature = Signature {
            arguments: vec!["term()".to_owned(), state.clone()],
            returns: vec![format!("{{noreply, {state}}}")],
        };
        Some(format!(
            "
{spec}{name}(A1, A2) ->
    _ = {library}:took(A1, A2) orelse {library}:unexpected(?MODULE, A1),
    {{noreply, A2}}.
",
            spec = spec(&name, &signature),
        ))
    }

    /// Returns the body of a callback, given the expression for the library's result.
    pub(super) fn around(&self, callback: &Callback, returned: String) -> String {
        let library = &self.library;
        match (self.has_events, callback.facts.kind) {
            (false, CallbackKind::Info) => format!(
                "case {library}:took(A1, A2) of
        true -> {{noreply, A2}};
        false ->
            {returned}
    end",
                returned = returned.replace('\n', "\n        ")
            ),
            (true, _) if callback.facts.event_type.is_some() => format!(
                "ok = {SPANS}:begins(A1),
    case A1 =:= {INFO} andalso {library}:took(A2, A{data}) of
        true -> {library}:undisturbed();
        false ->
            {returned}
    end",
                data = callback.arity,
                returned = returned.replace('\n', "\n        ")
            ),
            _ => returned,
        }
    }

    /// Returns the expression for the event of a callback, if the callback may set an event
    /// timeout.
    pub(super) fn event(&self, callback: &Callback) -> Option<&'static str> {
        match callback.facts.kind {
            _ if !self.has_events => None,
            CallbackKind::Init => Some("init"),
            CallbackKind::Start => Some("internal"),
            _ => callback.facts.event_type.map(|_| "A1"),
        }
    }

    /// Returns the types of a callback including the messages that the library takes.
    pub(super) fn signature(&self, callback: &Callback, mut signature: Signature) -> Signature {
        if self.has_events
            && callback.facts.event_type.is_some()
            && let Some(event) = signature.arguments.first_mut()
            && !event.split(" | ").any(|member| member == INFO)
        {
            *event = format!("{event} | {INFO}");
        }
        signature
    }
}
