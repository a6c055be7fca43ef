//! Tasks between two callbacks: the functions that OTP calls with messages hand those for tasks to the library.
//!
//! | behaviour | function | what it returns then |
//! |---|---|---|
//! | `gen_server` | `handle_info/2` | `{noreply, State}` |
//! | `gen_statem` | `handle_event/4` or those of states, for an `info` | `keep_state_and_data`, with the event timeout that it would stop |

use otp_contract::library::KEEP_TASKS;
use otp_contract::manifest::{Callback, Module, Signature};
use otp_contract::modules;

use super::specification::spec;
use super::start::{HANDLE_EVENT, HANDLE_START, INIT, OF_STATE, TERMINATE};
use crate::text::atom;

/// The callback that a `gen_server` calls with any other message.
const HANDLE_INFO: &str = "handle_info";

/// The event type of any other message in a `gen_statem`.
const INFO: &str = "info";

/// A module whose processes keep their tasks between two callbacks.
pub(super) struct Tasks<'m> {
    module: &'m Module,
    library: String,
    is_statem: bool,
}

impl<'m> Tasks<'m> {
    /// `None` if its processes do not.
    pub(super) fn of(application: &str, module: &'m Module) -> Option<Self> {
        let behaviour = module.behaviour.as_deref()?;
        KEEP_TASKS.contains(&behaviour).then(|| Tasks {
            module,
            library: modules::library(application),
            is_statem: behaviour == "gen_statem",
        })
    }

    /// The function that is added to the module, because messages for tasks are all that it takes besides requests.
    pub(super) fn added(&self) -> Option<(&'static str, usize)> {
        let mut callbacks = self.module.callbacks.iter();
        let takes_others = callbacks.any(|callback| callback.name == HANDLE_INFO);
        (!self.is_statem && !takes_others).then_some((HANDLE_INFO, 2))
    }

    /// `handle_info/2` of a module that does not implement it.
    pub(super) fn function(&self) -> Option<String> {
        self.added()?;
        let (library, state) = (&self.library, self.module.state.as_deref());
        let state = format!("{}()", atom(state.unwrap_or("term")));
        let signature = Signature {
            arguments: vec!["term()".to_owned(), state.clone()],
            returns: vec![format!("{{noreply, {state}}}")],
        };
        Some(format!(
            "
{spec}{HANDLE_INFO}(A1, A2) ->
    _ = {library}:took(A1, A2) orelse {library}:unexpected(?MODULE, A1),
    {{noreply, A2}}.
",
            spec = spec(HANDLE_INFO, &signature),
        ))
    }

    /// The body of a callback, by the expression of what the library returns for it.
    pub(super) fn around(&self, callback: &Callback, returned: String) -> String {
        let library = &self.library;
        match (self.is_statem, callback.name.as_str()) {
            (false, HANDLE_INFO) => format!(
                "case {library}:took(A1, A2) of
        true -> {{noreply, A2}};
        false ->
            {returned}
    end",
                returned = returned.replace('\n', "\n        ")
            ),
            (true, INIT) => self.handled(INIT, &returned),
            (true, HANDLE_START) => self.handled("internal", &returned),
            (true, _) if is_of_event(callback) => format!(
                "case A1 =:= {INFO} andalso {library}:took(A2, A{data}) of
        true -> {library}:undisturbed();
        false ->
            {handled}
    end",
                data = callback.arity,
                handled = self.handled("A1", &returned).replace('\n', "\n        ")
            ),
            _ => returned,
        }
    }

    /// Has the library see which event timeout the callback sets.
    fn handled(&self, event: &str, returned: &str) -> String {
        let library = &self.library;
        format!("Returned = {returned},\n    {library}:handled({event}, Returned)")
    }

    /// The types of a callback with the messages that the library takes.
    pub(super) fn signature(&self, callback: &Callback, mut signature: Signature) -> Signature {
        if self.is_statem
            && is_of_event(callback)
            && let Some(event) = signature.arguments.first_mut()
            && !event.split(" | ").any(|member| member == INFO)
        {
            *event = format!("{event} | {INFO}");
        }
        signature
    }
}

/// Whether a `gen_statem` calls it for events.
fn is_of_event(callback: &Callback) -> bool {
    match callback.name.as_str() {
        HANDLE_EVENT => true,
        TERMINATE | HANDLE_START => false,
        _ => callback.arity == OF_STATE,
    }
}
