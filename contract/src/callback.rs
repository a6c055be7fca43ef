//! Facts about a callback: when its behaviour calls it, and what its arguments mean.
//!
//! `otp-codegen` derives them from the `-callback` form and from a table of facts that a form
//! cannot express (`codegen/src/facts/callbacks.rs`). It writes them into the generated behaviours;
//! from there they reach the library's registry, and then the manifest. All other code looks them
//! up here: no other module recognizes a callback by its name.

use crate::json::{ToJson, json_objects};
use crate::words::words;

words! {
    /// When a behaviour calls a callback.
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(rename_all = "snake_case"))]
    CallbackKind {
        /// At the beginning, with the start argument of the process.
        Init = "init",
        /// After `Init`, before any message.
        Start = "start",
        /// For a message whose sender waits for a reply.
        Call = "call",
        /// For a request whose sender does not wait.
        Cast = "cast",
        /// For any other message.
        Info = "info",
        /// For an event, which may be one of several types ([`CallbackFacts::event_type`]).
        Event = "event",
        /// For a value that another callback returned so that the behaviour calls this one next.
        Continue = "continue",
        /// Later, without a state: for each start phase of an application.
        Phase = "phase",
        /// For a state that another version of the module made.
        Change = "change",
        /// When an Erlang tool displays the state.
        Status = "status",
        /// To learn which other callbacks a module has.
        Mode = "mode",
        /// At the end of a process. The result is ignored.
        End = "end",
        /// The form does not determine it.
        Other = "other",
    }
}

/// Facts about a callback. Positions count its arguments in Erlang from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default))]
pub struct CallbackFacts {
    /// When it is called.
    pub kind: CallbackKind,
    /// The message, which selects the clause.
    pub message: Option<usize>,
    /// The type of the event. The message is then the event's content.
    pub event_type: Option<usize>,
    /// The caller that waits for a reply. If there is an event type, that contains the caller:
    /// `{call, From}`.
    pub caller: Option<usize>,
    /// The state; the old one, if the kind is [`CallbackKind::Change`].
    pub state: Option<usize>,
    /// The value that the callbacks pass to each other beside the state: `gen_statem:state()`.
    pub chosen: Option<usize>,
    /// Whether it may return `{error, Reason}`.
    pub has_error: bool,
}

/// A tuple that a callback returns, and the position of the reply in it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
pub struct ReplyPosition<Text = String> {
    /// The tuple's first element.
    pub tag: Text,
    /// The number of its elements.
    pub size: usize,
    /// The position of the reply, from 0.
    pub index: usize,
}

/// The facts of a function that is not a callback.
impl Default for CallbackFacts {
    fn default() -> Self {
        Self::of(CallbackKind::Other)
    }
}

impl CallbackFacts {
    /// The facts of a callback of this kind whose arguments have no special meaning.
    #[must_use]
    pub const fn of(kind: CallbackKind) -> Self {
        CallbackFacts {
            kind,
            message: None,
            event_type: None,
            caller: None,
            state: None,
            chosen: None,
            has_error: false,
        }
    }

    /// Returns whether it takes messages from other processes.
    #[must_use]
    pub const fn takes_messages(&self) -> bool {
        use CallbackKind::{Call, Cast, Event, Info};
        matches!(self.kind, Call | Cast | Info | Event)
    }

    /// Returns whether it is called at the end of a process.
    #[must_use]
    pub const fn ends(&self) -> bool {
        matches!(self.kind, CallbackKind::End)
    }
}

impl ReplyPosition<&str> {
    /// Returns a copy that owns its text.
    #[must_use]
    pub fn to_owned(&self) -> ReplyPosition {
        ReplyPosition {
            tag: self.tag.to_owned(),
            size: self.size,
            index: self.index,
        }
    }
}

json_objects! {
    CallbackFacts { kind, message, event_type, caller, state, chosen, has_error }
    ReplyPosition { tag, size, index }
}

impl ToJson for CallbackKind {
    fn to_json(&self) -> String {
        self.as_str().to_json()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_for_one_kind_each() {
        for kind in CallbackKind::ALL {
            assert_eq!(CallbackKind::from_word(kind.as_str()), Some(*kind));
        }
    }
}
